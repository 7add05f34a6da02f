import { setTimeout as sleep } from 'node:timers/promises'
import { COOKIES, shownMark } from '@anniversary/shared/contract/page-names'
import type { Page } from 'playwright-core'
import { HOST_NAME } from '../builds/read-build.ts'
import type { SmokeResult } from '../rejected.ts'
import type { SiteBrowser } from './ways-out.ts'

const AFTERWARDS = 300

/** @returns the fault; undefined when the page shows */
export async function pageFaultOf(
  { openPage }: Pick<SiteBrowser, 'openPage'>,
  origin: string,
  { route, package: name }: SmokeResult,
  timeout: number,
): Promise<string | undefined> {
  const page = await openPage()
  // Without a token, a protected route redirects to /login.
  await page.context().addCookies([{ name: COOKIES.token, value: 'smoke', url: origin }])
  const isShell = name === HOST_NAME
  const shown = page
    .goto(`${origin}${route}`, { waitUntil: isShell ? 'load' : 'commit' })
    .then(async () => {
      const isMarked = (mark: string) => performance.getEntriesByName(mark).length > 0
      if (!isShell) await page.waitForFunction(isMarked, shownMark(name))
      await sleep(AFTERWARDS)
      return undefined
    })
  // Playwright's own time-outs never end on a page in an endless loop.
  const never = sleep(timeout, `does not show ${name} within ${(timeout / 1000).toFixed(1)} s`, {
    ref: false,
  })
  const fault = await Promise.race([firstError(page), shown, never])
  // Not awaited: a page in an endless loop never closes.
  page
    .context()
    .close()
    .catch(() => undefined)
  return fault
}

const firstError = (page: Page): Promise<string> =>
  new Promise((resolve) => {
    let loads = 0
    page.on('request', (request) => {
      const isPage = request.isNavigationRequest() && request.frame() === page.mainFrame()
      if (isPage && ++loads > 1) resolve(`goes by itself to ${request.url()}`)
    })
    page.context().on('page', (popup) => {
      resolve(`goes by itself to a window of its own, ${popup.url()}`)
    })
    const report = (text: string) => resolve(`reports: ${text.split('\n')[0]}`)
    page.on('pageerror', (error) => report(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') report(`${message.text()} ${message.location().url}`)
    })
  })
