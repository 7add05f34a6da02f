import {
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { EVENTS } from '../contract/page-names.ts'
import { uiTexts as texts } from '../texts.ts'
import { classNames } from './class-names.ts'
import styles from './Dialog.module.css'

export interface DialogProps {
  /**
   * Called by close button, Escape, Android's back gesture and backdrop; the
   * owner then renders it no more.
   */
  onClose(): void
  title: ReactNode
  children: ReactNode
  actions?: ReactNode
  kind?: 'plain' | 'error' | 'celebrate' | undefined
  className?: string | undefined
  /** Ids of what is read with the title when it opens. */
  describedBy?: string | undefined
}

const FIELDS = 'input:not([type=hidden]), textarea, select'

/**
 * A modal dialog, open while it is rendered. The focus starts in the first
 * field, else on the title, and returns to what opened it.
 * `EVENTS.dialogOpened` and `EVENTS.dialogClosed` come from the place for
 * toasts, whose live regions would be inert outside.
 */
export function Dialog({
  onClose,
  title,
  children,
  actions,
  kind = 'plain',
  className,
  describedBy,
}: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const toasts = useRef<HTMLDivElement>(null)
  const titleId = useId()
  const bodyId = useId()
  const body = useRef<HTMLDivElement>(null)
  const [scrolls, setScrolls] = useState(false)
  const [focusedAtRender] = useState(() => document.activeElement)
  const pressedBackdrop = useRef(false)

  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    // When a dialog replaces another one in the same commit, the focus is
    // already back on the first opener.
    const focused = document.activeElement
    const opener = dialog.contains(focused) ? focusedAtRender : focused
    const start = dialog.querySelector<HTMLElement>(FIELDS) ?? dialog.querySelector('h2')
    // Else showModal() focuses the first button, and Firefox scrolls there.
    // React drops the attribute from its elements.
    start?.setAttribute('autofocus', '')
    dialog.showModal()
    const place = toasts.current
    place?.dispatchEvent(new Event(EVENTS.dialogOpened, { bubbles: true }))
    return () => {
      place?.dispatchEvent(new Event(EVENTS.dialogClosed, { bubbles: true }))
      dialog.close()
      const back =
        opener?.isConnected && opener !== document.body ? opener : document.querySelector('main')
      if (back instanceof HTMLElement) back.focus({ preventScroll: true })
    }
  }, [focusedAtRender])

  // Content that does not fit takes the focus, so that arrow keys can scroll
  // it.
  useEffect(() => {
    const [area, content] = [body.current, body.current?.firstElementChild]
    if (!area || !content) return
    const observer = new ResizeObserver(() => setScrolls(area.scrollHeight > area.clientHeight))
    for (const box of [area, content]) observer.observe(box)
    return () => observer.disconnect()
  }, [])

  const onBackdrop = (event: MouseEvent) => event.target === ref.current

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click beside the dialog is an extra; Escape is its key
    <dialog
      ref={ref}
      className={classNames(styles.dialog, kind !== 'plain' && styles[kind], className)}
      data-ground="paper"
      aria-labelledby={titleId}
      // An error is short, so it is read with the title.
      aria-describedby={kind === 'error' ? bodyId : describedBy || undefined}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose()
      }}
      // On a second Escape in a row Chromium closes it without asking.
      onClose={({ currentTarget: { open } }) => open || onClose()}
      // Checks where the click began: selecting text from inside to outside
      // must not close the dialog.
      onMouseDown={(event) => {
        pressedBackdrop.current = onBackdrop(event)
      }}
      // Beside a form it would lose what was typed, beside another kind what
      // nobody has read yet.
      onClick={(event) => {
        const isKept = kind !== 'plain' || event.currentTarget.querySelector(FIELDS)
        if (!isKept && pressedBackdrop.current && onBackdrop(event)) onClose()
      }}
    >
      <div className={styles.sheet}>
        <h2 id={titleId} className={styles.title} tabIndex={-1}>
          {title}
        </h2>
        <div
          ref={body}
          id={bodyId}
          className={styles.body}
          {...(scrolls && { tabIndex: 0, role: 'region', 'aria-labelledby': titleId })}
        >
          <div>{children}</div>
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
        <button type="button" className={styles.close} aria-label={texts.close} onClick={onClose}>
          <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
            <path
              d="m6 6 12 12M18 6 6 18"
              stroke="currentColor"
              strokeWidth="2.5"
              strokeLinecap="round"
            />
          </svg>
        </button>
        <div ref={toasts} className={styles.toasts} />
      </div>
    </dialog>
  )
}
