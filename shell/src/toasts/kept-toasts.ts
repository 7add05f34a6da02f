import type { ToastKind } from './toast-store.ts'

/** A toast kept across a page load, then shown once. */
export interface KeptToast {
  readonly kind: ToastKind
  readonly text: string
}

const KEY = 'anniversary-toasts'

const isKeptToast = (value: unknown): value is KeptToast =>
  typeof value === 'object' && value !== null && 'kind' in value && 'text' in value

function read(): KeptToast[] {
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]')
    return Array.isArray(saved) ? saved.filter(isKeptToast) : []
  } catch {
    return []
  }
}

function write(toasts: KeptToast[]): void {
  try {
    if (toasts.length > 0) sessionStorage.setItem(KEY, JSON.stringify(toasts))
    else sessionStorage.removeItem(KEY)
  } catch {
    // Blocked storage keeps nothing.
  }
}

export const hasKeptToasts = (): boolean => read().length > 0

export function keepForNextLoad(toast: KeptToast): void {
  const kept = read().filter(({ text }) => text !== toast.text)
  write([...kept, toast])
}

/** Takes the kept toasts out: a second call finds none. */
export function takeKeptToasts(): KeptToast[] {
  const kept = read()
  write([])
  return kept
}
