import type { Handler } from '@anniversary/deploy/serve/server'
import type { Page } from '@playwright/test'
import type { Lab } from './lab.ts'
import type { Sites } from './sites.ts'

/**
 * Passes a request on, now or later, or answers it.
 * @param attempt counts the requests for these files, from 1
 */
type Fault = (pass: () => unknown, response: Parameters<Handler>[1], attempt: number) => unknown

const SLOW_MS = 8000
const PAGE_CHUNK = /LoginPage\.[^/?]*js/
/** Failures of mf-auth's files, or of the chunk of its page in a bundle. */
const FAULTS: Readonly<Record<string, readonly [files: RegExp, fault: Fault]>> = {
  'remote dead (503)': [
    /\/mf-auth\/|LoginPage/,
    (_pass, response) => response.writeHead(503).end(),
  ],
  'chunk slow (8 s)': [PAGE_CHUNK, (pass) => setTimeout(pass, SLOW_MS)],
  'chunk stalled: the first request gets no answer': [
    PAGE_CHUNK,
    (pass, _response, attempt) => attempt > 1 && pass(),
  ],
}

/** Seconds after the navigation at which the page is read. */
const LOOKS = [1, 4, 7, 12, 25]

/** Returns what /login shows: its form, with or without code, or a text. */
async function look(page: Page): Promise<string> {
  const field = page.locator('form input').first()
  if (await field.isVisible()) {
    const names = await field.evaluate((input) => Object.keys(input))
    return names.some((name) => name.startsWith('__reactProps'))
      ? 'the form works'
      : 'the form shows'
  }
  const text = (await page.locator('main, #root:not(:has(main))').textContent())?.trim()
  return text ? `"${text.slice(0, 45)}"` : 'nothing'
}

async function visit(
  lab: Lab,
  folder: string,
  [files, fault]: readonly [RegExp, Fault],
): Promise<string> {
  let attempts = 0
  const url = await lab.openSite(folder, (site) => (request, response) => {
    const pass = () => site(request, response)
    if (files.test(request.url ?? '')) fault(pass, response, ++attempts)
    else pass()
  })
  const context = await lab.newContext()
  const page = await context.newPage()
  const seen: string[] = []
  const started = performance.now()
  await page.goto(`${url}/login`, { waitUntil: 'commit' })
  for (const seconds of LOOKS) {
    await page.waitForTimeout(seconds * 1000 - (performance.now() - started))
    const now = await look(page)
    if (!seen.at(-1)?.endsWith(now)) seen.push(`${seconds} s: ${now}`)
  }
  await context.close()
  return seen.join('; ')
}

/**
 * Returns what a member sees on /login of each site when something fails, as
 * head and rows of a table.
 */
export async function seeFailures(lab: Lab, sites: Sites) {
  const rows: string[][] = []
  for (const [name, folder] of Object.entries(sites))
    rows.push([
      name,
      ...(await Promise.all(Object.values(FAULTS).map((fault) => visit(lab, folder, fault)))),
    ])
  return { head: ['', ...Object.keys(FAULTS)], rows }
}
