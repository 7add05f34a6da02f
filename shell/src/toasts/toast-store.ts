import { TOAST_MS } from '@anniversary/shared/contract/event'
import type { Notify, NotifyOptions } from '@anniversary/shared/contract/host'
import { createStore } from 'zustand/vanilla'
import { keepForNextLoad } from './kept-toasts.ts'

export type ToastKind = keyof Notify

export interface Toast {
  readonly id: number
  readonly kind: ToastKind
  readonly text: string
}

export const toastStore = createStore<{ toasts: readonly Toast[] }>(() => ({ toasts: [] }))

let lastId = 0
const timers = new Map<number, ReturnType<typeof setTimeout>>()

export function closeToast(id: number): void {
  clearTimeout(timers.get(id))
  timers.delete(id)
  toastStore.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }))
}

/**
 * Shows a toast. A text that already shows starts its time again instead of showing twice, also as another kind: on a 401
 * the server's error may have the text of the page's warning.
 */
export function showToast(
  kind: ToastKind,
  text: string,
  { duration = TOAST_MS, afterReload }: NotifyOptions = {},
): void {
  if (afterReload) {
    keepForNextLoad({ kind, text })
    return
  }
  const shown = toastStore.getState().toasts.find((toast) => toast.text === text)
  const id = shown?.id ?? ++lastId
  if (shown) clearTimeout(timers.get(id))
  else toastStore.setState(({ toasts }) => ({ toasts: [...toasts, { id, kind, text }] }))
  timers.set(
    id,
    setTimeout(() => closeToast(id), duration),
  )
}

const notifier = (kind: ToastKind) => (text: string, options?: NotifyOptions) =>
  showToast(kind, text, options)

/** The host port's toasts. */
export const notify: Notify = {
  success: notifier('success'),
  info: notifier('info'),
  warning: notifier('warning'),
  error: notifier('error'),
}
