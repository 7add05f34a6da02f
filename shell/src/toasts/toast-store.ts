import { TOAST_MS } from '@anniversary/shared/contract/event'
import type { Notify, NotifyOptions } from '@anniversary/shared/contract/host'
import { dropFromTab, readFromTab, saveInTab } from '@anniversary/shared/ui/tab-storage'
import { createStore } from 'zustand/vanilla'

/** Toasts that show have different texts. */
export interface Toast {
  readonly kind: keyof Notify
  readonly text: string
  readonly silent?: boolean
}

export const toastStore = createStore<{ toasts: readonly Toast[] }>(() => ({ toasts: [] }))

const timers = new Map<string, ReturnType<typeof setTimeout>>()

export function closeToast(text: string): void {
  clearTimeout(timers.get(text))
  timers.delete(text)
  toastStore.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.text !== text) }))
}

const KEPT = 'anniversary-toasts'

const isToast = (kept: Partial<Toast> | null): kept is Toast =>
  typeof kept?.text === 'string' && Object.hasOwn(notifyMember, kept.kind ?? '')

function readKept(): Toast[] {
  const kept = readFromTab(KEPT)
  return Array.isArray(kept) ? kept.filter(isToast) : []
}

export const keepToasts = (toasts = toastStore.getState().toasts): void =>
  saveInTab(KEPT, [...readKept(), ...toasts])

export const hasKeptToasts = (): boolean => readKept().length > 0

export function takeKeptToasts(): Toast[] {
  const kept = readKept()
  if (kept.length > 0) dropFromTab(KEPT)
  return kept
}

/** A text that already shows restarts its time, also for another kind. */
const notifier =
  (kind: Toast['kind']) =>
  (
    text: string,
    { duration = TOAST_MS, afterReload, silent = false }: NotifyOptions = {},
  ): void => {
    if (afterReload) {
      keepToasts([{ kind, text }])
      return
    }
    const { toasts } = toastStore.getState()
    if (!toasts.some((toast) => toast.text === text))
      toastStore.setState({ toasts: [...toasts, { kind, text, silent }] })
    closeAfter(text, duration)
  }

/** The focus would be lost with the toast's button. */
export const keepToastOpen = (text: string): void => clearTimeout(timers.get(text))

/** The time restarts if it ends in a hidden tab. */
export function closeAfter(text: string, duration: number): void {
  clearTimeout(timers.get(text))
  const end = () => {
    if (document.visibilityState !== 'hidden') closeToast(text)
    else
      document.addEventListener(
        'visibilitychange',
        () => timers.has(text) && closeAfter(text, duration),
        {
          once: true,
        },
      )
  }
  timers.set(text, setTimeout(end, duration))
}

/** Closes errors in the capture phase, before the page shows new ones. */
for (const type of ['input', 'paste', 'submit'])
  addEventListener(
    type,
    () => {
      for (const { kind, text } of toastStore.getState().toasts)
        if (kind === 'error') closeToast(text)
    },
    true,
  )

export const notifyMember: Notify = {
  success: notifier('success'),
  info: notifier('info'),
  warning: notifier('warning'),
  error: notifier('error'),
}
