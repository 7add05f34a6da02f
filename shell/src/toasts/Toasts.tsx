import { TOAST_MS } from '@anniversary/shared/contract/event'
import { EVENTS } from '@anniversary/shared/contract/page-names'
import { useHydrated } from '@anniversary/shared/ui/use-hydrated'
import { createPortal } from 'react-dom'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { shellTexts as texts } from '../texts.ts'
import styles from './Toasts.module.css'
import { closeAfter, closeToast, keepToastOpen, type Toast, toastStore } from './toast-store.ts'

/**
 * Open modal dialogs, the last opened at the end. `shared/ui/Dialog` fires the
 * events.
 */
const openDialogs = createStore<{ dialogs: readonly unknown[] }>(() => ({ dialogs: [] }))
document.addEventListener(EVENTS.dialogOpened, ({ target }) =>
  openDialogs.setState(({ dialogs }) => ({ dialogs: [...dialogs, target] })),
)
document.addEventListener(EVENTS.dialogClosed, ({ target }) =>
  openDialogs.setState(({ dialogs }) => ({
    dialogs: dialogs.filter((dialog) => dialog !== target),
  })),
)

let before: EventTarget | null

function urgencyOf({ kind, silent }: Toast) {
  if (silent) return 'off'
  if (kind === 'error') return 'assertive'
  return 'polite'
}

/** In the last opened modal dialog, which makes everything outside inert. */
export function Toasts() {
  const hydrated = useHydrated()
  const { toasts } = useStore(toastStore)
  const dialog = useStore(openDialogs).dialogs.at(-1)
  // React cannot hydrate a page with a portal.
  if (!hydrated) return null
  return createPortal(
    <section
      className={styles.toasts}
      aria-label={texts.toasts.region}
      onFocus={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) before = relatedTarget
      }}
    >
      {(['assertive', 'polite', 'off'] as const).map((urgency) => (
        <ul key={urgency} aria-live={urgency} aria-relevant="additions">
          {toasts
            .filter((toast) => urgencyOf(toast) === urgency)
            .map((toast) => (
              <ToastItem key={toast.text} {...toast} />
            ))}
        </ul>
      ))}
    </section>,
    dialog instanceof Element ? dialog : document.body,
  )
}

const ToastItem = ({ kind, text }: Toast) => (
  <li className={styles.toast} data-kind={kind} data-ground="paper">
    <svg className={styles.icon} viewBox="0 0 24 24" width="24" height="24" role="img">
      <title>{texts.toasts.kinds[kind]}</title>
      <path d={ICONS[kind]} />
    </svg>
    <span>{text}</span>
    <button
      type="button"
      aria-label={`${texts.toasts.close}: ${text}`}
      onFocus={() => keepToastOpen(text)}
      onBlur={() => closeAfter(text, TOAST_MS)}
      onClick={({ detail }) => {
        closeToast(text)
        // By keyboard, because the focused button disappears.
        if (detail === 0 && before instanceof HTMLElement) before.focus()
      }}
    >
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
        <path d="m6 6 12 12M18 6 6 18" />
      </svg>
    </button>
  </li>
)

/** Kinds differ by shape as well as by colour. */
const ICONS: Record<Toast['kind'], string> = {
  success: 'm5 12.5 5 5L19.5 7',
  info: 'M12 10.5V19M12 5v.01',
  warning: 'M12 4.5V14M12 19v.01',
  error: 'm6 6 12 12M18 6 6 18',
}
