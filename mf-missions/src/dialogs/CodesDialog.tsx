import type { Notify } from '@anniversary/shared/contract/host'
import { Button } from '@anniversary/shared/ui/Button'
import { copyText } from '@anniversary/shared/ui/copy-text'
import { Dialog } from '@anniversary/shared/ui/Dialog'
import { type ReactNode, useEffect, useRef } from 'react'
import { codeTexts } from '../code-texts.ts'
import styles from './CodesDialog.module.css'
import { Ticket } from './Ticket.tsx'

interface CodesDialogProps {
  title: string
  /** Each code once, with what stands above it and the picture beside it. */
  tickets: readonly {
    readonly code: string
    readonly prize?: string
    readonly caption: string
    readonly picture: string | undefined
  }[]
  /** What to do with the codes. */
  note: string
  /** Celebrates with pieces of gold paper and a vibration of these milliseconds. Neither with reduced motion. */
  pulse?: number | undefined
  notify: Notify
  /** A further button. */
  children?: ReactNode
  onClose(): void
}

export function CodesDialog({
  title,
  tickets,
  note,
  pulse,
  notify,
  children,
  onClose,
}: CodesDialogProps) {
  const fresh = pulse !== undefined
  const list = useRef<HTMLUListElement>(null)
  const codes = tickets.map(({ code }) => code)
  useEffect(() => {
    // Safari has no vibration. Before the first press, Chromium reports an error instead.
    const mayVibrate = 'vibrate' in navigator && 'userActivation' in navigator
    if (!pulse || !mayVibrate || !navigator.userActivation.hasBeenActive) return
    if (matchMedia('(prefers-reduced-motion: no-preference)').matches) navigator.vibrate(pulse)
  }, [pulse])
  return (
    <Dialog
      kind={fresh ? 'celebrate' : 'plain'}
      title={title}
      onClose={onClose}
      actions={
        <>
          {children}
          {codes.length > 1 && (
            <Button
              variant="secondary"
              onClick={() => copyText(codes.join(', '), codeTexts.codeCopied, notify, list.current)}
            >
              {codeTexts.copyAll}
            </Button>
          )}
          <Button onClick={onClose}>{codeTexts.confirm}</Button>
        </>
      }
    >
      {fresh && <span className={styles.burst} aria-hidden="true" />}
      {codes.length === 0 ? (
        <p>{codeTexts.noCodes}</p>
      ) : (
        <>
          <ul ref={list} className={styles.codes}>
            {tickets.map((ticket) => (
              <li key={ticket.code}>
                <Ticket {...ticket} fresh={fresh} notify={notify} />
              </li>
            ))}
          </ul>
          <p className={styles.keep}>{note}</p>
        </>
      )}
    </Dialog>
  )
}
