import type { Page } from '@playwright/test'

export interface SeenToast {
  /** As a screen reader names it: `Lỗi`, `Cảnh báo`, `Thành công`, `Thông tin`. */
  readonly kind: string
  readonly text: string
  readonly path: string
  /** The page's cookies as it appeared. */
  readonly cookies: string
  /** Milliseconds of the page's clock. */
  readonly shownAt: number
  goneAt?: number
}

/** A document loaded or a client-side move. */
export interface SeenMove {
  readonly path: string
  readonly loaded: boolean
  readonly cookies: string
  readonly at: number
}

/** Everything that was ever said by a toast, and every move, across page loads. */
export interface ToastLog {
  readonly toasts: readonly SeenToast[]
  readonly moves: readonly SeenMove[]
}

interface Report {
  readonly at: number
  readonly path: string
  readonly cookies: string
  readonly loaded: boolean
  /** Toasts that show now, as `kind` and text. */
  readonly shown: readonly (readonly [string, string])[]
}

const REGION = 'Thông báo'

/** Watches a page from its next load on. By the toast region's name and roles, as a screen reader finds it. */
export async function watchToasts(page: Page): Promise<ToastLog> {
  const toasts: SeenToast[] = []
  const moves: SeenMove[] = []
  await page.exposeBinding('reportToasts', (_source, { at, path, cookies, loaded, shown }: Report) => {
    if (loaded || moves.at(-1)?.path !== path) moves.push({ at, path, cookies, loaded })
    // A page load takes its toasts with it.
    const open = toasts.filter(({ goneAt }) => goneAt === undefined)
    const left = loaded ? [] : [...shown]
    for (const toast of open) {
      const same = left.findIndex(([kind, text]) => kind === toast.kind && text === toast.text)
      if (same < 0) toast.goneAt = at
      else left.splice(same, 1)
    }
    for (const [kind, text] of left) toasts.push({ kind, text, path, cookies, shownAt: at })
  })
  await page.addInitScript((region) => {
    // This script runs in frames and on the blank page too; only the product's page has toasts.
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
      reportToasts({ at: Date.now(), path, cookies: document.cookie, loaded, shown })
    }
    report(true)
    new MutationObserver(() => report(false)).observe(document, { childList: true, subtree: true })
  }, REGION)
  return { toasts, moves }
}
