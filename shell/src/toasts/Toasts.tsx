import { useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useStore } from 'zustand'
import { texts } from '../texts.ts'
import styles from './Toasts.module.css'
import { closeToast, type Toast, toastStore } from './toast-store.ts'

/**
 * The toasts of the page: polite and assertive live regions, there before their first text. A modal dialog
 * makes all outside inert, live regions too, so they move into the dialog opened last (`shared/ui/Dialog` says when).
 */
export function Toasts() {
  const { toasts } = useStore(toastStore)
  const place = usePlace()
  if (!place) return null
  return createPortal(
    <section className={styles.toasts} aria-label={texts.toasts.region}>
      {(['assertive', 'polite'] as const).map((urgency) => (
        <ul key={urgency} className={styles.list} aria-live={urgency} aria-relevant="additions">
          {toasts
            .filter(({ kind }) => (kind === 'error') === (urgency === 'assertive'))
            .map((toast) => (
              <ToastItem key={toast.text} {...toast} />
            ))}
        </ul>
      ))}
    </section>,
    place,
  )
}

const ToastItem = ({ kind, text }: Toast) => (
  <li className={styles.toast} data-kind={kind} data-ground="paper">
    <svg className={styles.icon} viewBox="0 0 24 24" width="24" height="24" role="img">
      <title>{texts.toasts.kinds[kind]}</title>
      <path d={ICONS[kind]} />
    </svg>
    <span className={styles.text}>{text}</span>
    <button
      type="button"
      className={styles.close}
      aria-label={`${texts.toasts.close}: ${text}`}
      onClick={() => closeToast(text)}
    >
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
        <path d="m6 6 12 12M18 6 6 18" />
      </svg>
    </button>
  </li>
)

/** Told apart by shape as well as by colour. */
const ICONS: Record<Toast['kind'], string> = {
  success: 'm5 12.5 5 5L19.5 7',
  info: 'M12 10.5V19M12 5v.01',
  warning: 'M12 4.5V14M12 19v.01',
  error: 'm6 6 12 12M18 6 6 18',
}

/**
 * The modal dialog opened last of those still open, else the body. Undefined in the first render only: React cannot
 * hydrate a page with a portal.
 */
function usePlace(): Element | undefined {
  const [stack, setStack] = useState<readonly Element[]>([])
  useLayoutEffect(() => {
    const opened = ({ target }: Event) => {
      if (target instanceof Element) setStack((all) => [...all, target])
    }
    const closed = ({ target }: Event) => setStack((all) => all.filter((dialog) => dialog !== target))
    setStack([document.body, ...document.querySelectorAll('dialog[open]')])
    document.addEventListener('dialog-opened', opened)
    document.addEventListener('dialog-closed', closed)
    return () => {
      document.removeEventListener('dialog-opened', opened)
      document.removeEventListener('dialog-closed', closed)
    }
  }, [])
  return stack.at(-1)
}
