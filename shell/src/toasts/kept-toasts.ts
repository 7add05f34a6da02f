import { texts } from '../texts.ts'
import type { Toast } from './toast-store.ts'

const KEY = 'anniversary-toasts'

const isToast = (value: unknown): value is Toast =>
  typeof value === 'object' &&
  value !== null &&
  'text' in value &&
  'kind' in value &&
  String(value.kind) in texts.toasts.kinds

function read(): Toast[] {
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]')
    return Array.isArray(saved) ? saved.filter(isToast) : []
  } catch {
    return []
  }
}

export const hasKeptToasts = (): boolean => read().length > 0

export function keepForNextLoad(toast: Toast): void {
  const others = read().filter(({ text }) => text !== toast.text)
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...others, toast]))
  } catch {}
}

/** Takes the kept toasts out: a second call finds none. */
export function takeKeptToasts(): Toast[] {
  const kept = read()
  if (kept.length > 0) sessionStorage.removeItem(KEY)
  return kept
}
