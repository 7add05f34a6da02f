import type { Page } from '@playwright/test'
import { expect } from '../src/member-test.ts'
import type { SeenToast, ToastLog } from '../src/toast-log.ts'

export const TOAST_MS = 3000
/** A toast's time begins with the message, a moment before a busy machine shows it, most of all while a page loads. */
const SHORTER_MS = 500
const LONGER_MS = 150

export interface Said {
  /** What tells the kind to a screen reader. */
  readonly kind: 'Lỗi' | 'Cảnh báo' | 'Thành công' | 'Thông tin'
  readonly text: string
  /** Milliseconds that it shows; `null` where a page load takes it away. */
  readonly ms?: number | null
}

export const error = (text: string): Said => ({ kind: 'Lỗi', text })
export const warning = (text: string): Said => ({ kind: 'Cảnh báo', text })

const line = ({ kind, text }: Pick<SeenToast, 'kind' | 'text'>): string => `${kind}: ${text}`

/**
 * Holds when exactly these toasts were said since the page was opened, in this order, each once and for its time.
 * Lets five seconds pass on the page's clock, in which nothing else may be said.
 */
export async function expectSaid(page: Page, log: ToastLog, said: readonly Said[]): Promise<void> {
  await expect.poll(() => log.toasts.map(line)).toEqual(said.map(line))
  await page.clock.runFor(5000)
  await expect.poll(() => log.toasts.every(({ goneAt }) => goneAt !== undefined)).toBe(true)
  expect(log.toasts.map(line), 'nothing is said twice').toEqual(said.map(line))
  for (const [index, { ms = TOAST_MS, text }] of said.entries()) {
    if (ms === null) continue
    const { shownAt = 0, goneAt = 0 } = log.toasts[index] ?? {}
    expect(goneAt - shownAt, `milliseconds of '${text}'`).toBeGreaterThan(ms - SHORTER_MS)
    expect(goneAt - shownAt, `milliseconds of '${text}'`).toBeLessThan(ms + LONGER_MS)
  }
}
