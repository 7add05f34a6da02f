import type { Toast } from './toast-store.ts'

const KEY = 'anniversary-toasts'

function read(): Toast[] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as Toast[] // only this file writes them
  } catch {
    return []
  }
}

export const hasKeptToasts = (): boolean => read().length > 0

export function keepForNextLoad(toast: Toast): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...read(), toast]))
  } catch {}
}

/** Takes the kept toasts out: a second call finds none. */
export function takeKeptToasts(): Toast[] {
  const kept = read()
  if (kept.length > 0) sessionStorage.removeItem(KEY)
  return kept
}
