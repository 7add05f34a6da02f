import type { Page } from '@playwright/test'
import { expect } from './test.ts'

/** What a page has said and loaded, across page loads, oldest first. */
export interface PageLog {
  /** Each toast once, as a screen reader names it: `Lỗi: …`, `Cảnh báo: …`. */
  readonly toasts: readonly string[]
  /** Paths of documents. */
  readonly loads: readonly string[]
}

const REGION = 'Thông báo'

/** Watches a page from its next load on. Finds toasts by their region's name and roles, as a screen reader does. */
export async function watchPage(page: Page): Promise<PageLog> {
  const toasts: string[] = []
  const loads: string[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame())
      loads.push(new URL(request.url()).pathname)
  })
  await page.exposeBinding('reportToasts', (_source, shown: readonly string[]) => {
    // A dialog takes them along, as new elements.
    toasts.push(...shown.filter((toast) => !toasts.includes(toast)))
  })
  await page.addInitScript((region) => {
    const { reportToasts } = window as never as { reportToasts(shown: readonly string[]): void } // bound above
    const report = () => {
      const items = [...document.querySelectorAll(`section[aria-label="${region}"] li`)]
      const textOf = (item: Element, part: string) => item.querySelector(part)?.textContent ?? ''
      if (items.length > 0)
        reportToasts(items.map((item) => `${textOf(item, '[role=img]')}: ${textOf(item, 'span')}`))
    }
    new MutationObserver(report).observe(document, { childList: true, subtree: true })
  }, REGION)
  return { toasts, loads }
}

export const error = (text: string) => `Lỗi: ${text}`
export const warning = (text: string) => `Cảnh báo: ${text}`

/**
 * Expects exactly these toasts since the page was opened, in this order. Passes five seconds on the page's clock, so that
 * every toast closes and a late one would show.
 */
export async function expectSaid(page: Page, log: PageLog, said: readonly string[]): Promise<void> {
  await expect.poll(() => log.toasts).toEqual(said)
  await page.clock.runFor(5000)
  await expect(page.getByRole('region', { name: REGION }).getByRole('listitem')).toHaveCount(0)
  expect(log.toasts).toEqual(said)
}
