import type { Notify } from '@anniversary/shared/contract/host'
import { Button } from '@anniversary/shared/ui/Button'
import { Dialog } from '@anniversary/shared/ui/Dialog'
import { texts } from '../texts.ts'
import styles from './CodesDialog.module.css'
import { copyWithToast } from './copy-with-toast.ts'
import { flyToHistory } from './fly-to-history.ts'
import { TicketStub } from './TicketStub.tsx'

export interface CodesDialogProps {
  codes: readonly string[]
  /** Just claimed: the dialog celebrates. */
  fresh: boolean
  notify: Notify
  onClose(): void
}

/** Ticket codes: of a claim just made, or of a done card. */
export function CodesDialog({ codes, fresh, notify, onClose }: CodesDialogProps) {
  const all = [...new Set(codes)]
  const copy = (text: string) => copyWithToast(text, texts.codeCopied, notify)
  const close = () => {
    onClose()
    if (fresh && all.length > 0) flyToHistory()
  }
  return (
    <Dialog
      kind={fresh ? 'celebrate' : 'plain'}
      title={fresh ? texts.codesTitleNew : texts.codesTitle}
      onClose={close}
      actions={
        <>
          {all.length > 1 && (
            <Button variant="secondary" onClick={() => copy(all.join(', '))}>
              {texts.copyAll}
            </Button>
          )}
          <Button onClick={close}>{texts.confirm}</Button>
        </>
      }
    >
      {fresh && <span className={styles.burst} aria-hidden="true" />}
      {all.length === 0 ? (
        <p>{texts.noCodes}</p>
      ) : (
        <>
          <ul className={styles.codes}>
            {all.map((code) => (
              <li key={code}>
                <TicketStub code={code} fresh={fresh} onCopy={() => copy(code)} />
              </li>
            ))}
          </ul>
          <p className={styles.keep}>{texts.codesKeep}</p>
        </>
      )}
    </Dialog>
  )
}
