import type { Page } from '@playwright/test'
import { expect } from './test.ts'

interface SeenToast {
  /** As a screen reader names it: `Lỗi`, `Cảnh báo`, `Thành công`, `Thông tin`. */
  readonly kind: string
  readonly text: string
  gone: boolean
}

/** Toasts and navigations of a page, across page loads. */
export interface ToastLog {
  readonly toasts: readonly SeenToast[]
  /** Navigations, oldest first; `loaded` where a document was loaded. */
  readonly moves: readonly { readonly path: string; readonly loaded: boolean }[]
}

interface Report {
  readonly path: string
  readonly loaded: boolean
  /** Visible toasts, as kind and text. */
  readonly shown: readonly (readonly [string, string])[]
}

const REGION = 'Thông báo'

/** Watches a page from its next load on. Finds toasts by their region's name and roles, as a screen reader does. */
export async function watchToasts(page: Page): Promise<ToastLog> {
  const toasts: SeenToast[] = []
  const moves: { path: string; loaded: boolean }[] = []
  await page.exposeBinding('reportToasts', (_source, { path, loaded, shown }: Report) => {
    if (loaded || moves.at(-1)?.path !== path) moves.push({ path, loaded })
    // A page load takes its toasts with it.
    const left = loaded ? [] : [...shown]
    for (const toast of toasts.filter(({ gone }) => !gone)) {
      const same = left.findIndex(([kind, text]) => kind === toast.kind && text === toast.text)
      if (same < 0) toast.gone = true
      else left.splice(same, 1)
    }
    for (const [kind, text] of left) toasts.push({ kind, text, gone: false })
  })
  await page.addInitScript((region) => {
    // The script also runs in frames and on the blank page, which have no toasts.
    if (window !== top || !location.protocol.startsWith('http')) return
    let last = ''
    const report = (loaded: boolean) => {
      const items = document.querySelectorAll(`section[aria-label="${region}"] li`)
      const shown = [...items].map((item) => [
        item.querySelector('[role=img]')?.textContent ?? '',
        item.querySelector('span')?.textContent ?? '',
      ])
      const path = location.pathname
      const now = JSON.stringify([path, shown])
      if (now === last && !loaded) return
      last = now
      const { reportToasts } = window as never as { reportToasts(report: unknown): void }
      reportToasts({ path, loaded, shown })
    }
    report(true)
    new MutationObserver(() => report(false)).observe(document, { childList: true, subtree: true })
  }, REGION)
  return { toasts, moves }
}

export const error = (text: string) => `Lỗi: ${text}`
export const warning = (text: string) => `Cảnh báo: ${text}`

/**
 * Expects exactly these toasts since the page was opened, in this order, each once. Passes five seconds on the page's
 * clock, so that every toast closes and a late one would show.
 */
export async function expectSaid(page: Page, log: ToastLog, said: readonly string[]): Promise<void> {
  const lines = () => log.toasts.map(({ kind, text }) => `${kind}: ${text}`)
  await expect.poll(lines).toEqual(said)
  await page.clock.runFor(5000)
  await expect.poll(() => log.toasts.every(({ gone }) => gone)).toBe(true)
  expect(lines(), 'nothing is said twice').toEqual(said)
}
