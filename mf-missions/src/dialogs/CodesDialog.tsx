import type { Notify } from '@anniversary/shared/contract/host'
import { Button } from '@anniversary/shared/ui/Button'
import { Dialog } from '@anniversary/shared/ui/Dialog'
import { texts } from '../texts.ts'
import styles from './CodesDialog.module.css'
import { copyWithToast } from './copy-with-toast.ts'
import { TicketStub } from './TicketStub.tsx'

export interface CodesDialogProps {
  codes: readonly string[]
  /** Just claimed: the dialog celebrates. */
  fresh: boolean
  notify: Notify
  onClose(): void
}

/** Ticket codes: of a claim just made, or of a done card. */
export const CodesDialog = ({ codes, fresh, notify, onClose }: CodesDialogProps) => (
  <Dialog
    kind={fresh ? 'celebrate' : 'plain'}
    title={fresh ? texts.codesTitleNew : texts.codesTitle}
    onClose={onClose}
    actions={<Button onClick={onClose}>{texts.confirm}</Button>}
  >
    {fresh && <span className={styles.burst} aria-hidden="true" />}
    {codes.length === 0 ? (
      <p>{texts.noCodes}</p>
    ) : (
      <>
        <ul className={styles.codes}>
          {[...new Set(codes)].map((code) => (
            <li key={code}>
              <TicketStub code={code} onCopy={() => copyWithToast(code, texts.codeCopied, notify)} />
            </li>
          ))}
        </ul>
        <p className={styles.keep}>{texts.codesKeep}</p>
      </>
    )}
  </Dialog>
)
