import type { Notify } from '@anniversary/shared/contract/host'
import { Button } from '@anniversary/shared/ui/Button'
import { copyText } from '@anniversary/shared/ui/copy-text'
import { Dialog } from '@anniversary/shared/ui/Dialog'
import { useEffect, useId, useRef } from 'react'
import { codeTexts } from '../code-texts.ts'
import styles from './CodesDialog.module.css'
import { vibratePhone } from './motion.ts'
import { Ticket } from './Ticket.tsx'
import { throwPaper } from './throw-paper.ts'

/** Milliseconds, as in Ticket.module.css. */
const STAMP_AFTER = 450
const STAMP_EVERY = 160
const TEAR_AFTER = 950

interface CodesDialogProps {
  codes: readonly string[]
  picture: string | undefined
  /** They have just been claimed, and the ticket is animated. */
  isFresh: boolean
  notify: Notify
  onClose(): void
}

export function CodesDialog({ codes, picture, isFresh, notify, onClose }: CodesDialogProps) {
  const list = useRef<HTMLUListElement>(null)
  const id = useId()
  const idOf = (place: number) => `${id}${place}`
  useEffect(() => {
    if (!isFresh) return
    const pause = STAMP_EVERY - 15
    const stamping = setTimeout(() => vibratePhone([15, pause, 15, pause, 15]), STAMP_AFTER)
    const tearing = setTimeout(() => {
      const stub = list.current?.querySelector('button')
      if (stub) throwPaper(stub)
    }, TEAR_AFTER)
    return () => {
      clearTimeout(stamping)
      clearTimeout(tearing)
    }
  }, [isFresh])
  return (
    <Dialog
      kind={isFresh ? 'celebrate' : 'plain'}
      title={isFresh ? codeTexts.codesTitleNew : codeTexts.codesTitle}
      describedBy={codes.map((_, place) => idOf(place)).join(' ')}
      onClose={onClose}
      actions={
        <>
          {codes.length > 1 && (
            <Button
              variant="secondary"
              onClick={() => copyText(codes.join(', '), codeTexts.codeCopied, notify, list.current)}
            >
              {codeTexts.copyAll}
            </Button>
          )}
          <Button onClick={onClose}>{codeTexts.done}</Button>
        </>
      }
    >
      {isFresh && <span className={styles.still} aria-hidden="true" />}
      {codes.length === 0 ? (
        <p>{codeTexts.noCodes}</p>
      ) : (
        <>
          <ul ref={list} className={styles.codes}>
            {codes.map((code, place) => (
              <li key={code}>
                <Ticket
                  id={idOf(place)}
                  code={code}
                  caption={codeTexts.ticket}
                  picture={picture}
                  entrance={isFresh ? 'stamp' : undefined}
                  notify={notify}
                />
              </li>
            ))}
          </ul>
          <p className={styles.keep}>{codeTexts.codesKeep}</p>
        </>
      )}
    </Dialog>
  )
}
