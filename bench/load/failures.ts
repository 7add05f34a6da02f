import type { Handler } from '@anniversary/deploy/serve/server'
import type { Page } from '@playwright/test'
import type { Lab } from './lab.ts'
import type { Sites } from './sites.ts'

/** What goes wrong with files of mf-auth, or with the chunk of its page in a bundle. */
interface Failure {
  readonly title: string
  readonly files: RegExp
  /** @returns whether to pass the request on, later */
  answer(response: Parameters<Handler>[1], attempt: number): boolean | Promise<boolean>
}

const PAGE_CHUNK = /LoginPage\.[^/?]*js/
const SLOW_MS = 8000
const FAILURES: readonly Failure[] = [
  {
    title: 'Remote dead (503)',
    files: /\/mf-auth\/|LoginPage/,
    answer(response) {
      response.writeHead(503, { 'cache-control': 'no-store' }).end()
      return false
    },
  },
  {
    title: `Chunk slow (${SLOW_MS / 1000} s)`,
    files: PAGE_CHUNK,
    answer: () => new Promise((resolve) => setTimeout(() => resolve(true), SLOW_MS)),
  },
  {
    title: 'Chunk stalled once (first request unanswered)',
    files: PAGE_CHUNK,
    answer: (_response, attempt) => attempt > 1,
  },
]

/** Seconds after the navigation at which a member looks. */
const LOOKS = [1, 4, 7, 12, 25]

/** What can be seen of /login: its form, with or without code, or a text. */
async function look(page: Page): Promise<string> {
  const field = page.locator('form input').first()
  if (await field.isVisible()) {
    const isHandled = await field.evaluate((input) =>
      Object.keys(input).some((key) => key.startsWith('__reactProps')),
    )
    return isHandled ? 'the form works' : 'the form shows'
  }
  const [frame, body] = [page.locator('main'), page.locator('body')]
  const text = (await ((await frame.count()) > 0 ? frame : body).textContent())?.trim()
  return text ? `"${text.slice(0, 45)}"` : 'nothing'
}

async function visit(lab: Lab, folder: string, { files, answer }: Failure): Promise<string> {
  let attempts = 0
  const url = await lab.openSite(folder, (site) => async (request, response) => {
    const isHit = files.test(request.url ?? '')
    if (isHit) attempts += 1
    if (!isHit || (await answer(response, attempts))) site(request, response)
  })
  const context = await lab.newContext()
  const page = await context.newPage()
  const seen: string[] = []
  let last = ''
  const started = performance.now()
  await page.goto(`${url}/login`, { waitUntil: 'commit' })
  for (const seconds of LOOKS) {
    await page.waitForTimeout(seconds * 1000 - (performance.now() - started))
    const now = await look(page)
    if (now !== last) seen.push(`${seconds} s: ${now}`)
    last = now
  }
  await context.close()
  return seen.join('; ')
}

/** What a member sees on /login of each site when something fails, as rows of a table. */
export async function seeFailures(lab: Lab, sites: Sites) {
  const names = Object.keys(sites).filter((name) => name !== 'static')
  const rows: string[][] = []
  for (const name of names)
    rows.push([
      name,
      ...(await Promise.all(FAILURES.map((failure) => visit(lab, sites[name] ?? '', failure)))),
    ])
  return { head: ['', ...FAILURES.map(({ title }) => title)], rows }
}
