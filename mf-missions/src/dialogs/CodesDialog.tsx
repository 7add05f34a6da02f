import type { Notify } from '@anniversary/shared/contract/host'
import { Button } from '@anniversary/shared/ui/Button'
import { copyText } from '@anniversary/shared/ui/copy-text'
import { Dialog } from '@anniversary/shared/ui/Dialog'
import { Ticket } from '../Ticket.tsx'
import { texts } from '../texts.ts'
import { Burst } from './Burst.tsx'
import styles from './CodesDialog.module.css'
import { flyToHistory } from './fly-to-history.ts'

interface CodesDialogProps {
  codes: readonly string[]
  mission: string
  picture: string | undefined
  fresh: boolean
  notify: Notify
  onClose(): void
}

export function CodesDialog({ codes, mission, picture, fresh, notify, onClose }: CodesDialogProps) {
  const all = [...new Set(codes)]
  const close = () => {
    onClose()
    if (fresh && all.length > 0) flyToHistory(mission)
  }
  return (
    <Dialog
      kind={fresh ? 'celebrate' : 'plain'}
      title={fresh ? texts.codesTitleNew : texts.codesTitle}
      onClose={close}
      actions={
        <>
          {all.length > 1 && (
            <Button variant="secondary" onClick={() => copyText(all.join(', '), texts.codeCopied, notify)}>
              {texts.copyAll}
            </Button>
          )}
          <Button onClick={close}>{texts.confirm}</Button>
        </>
      }
    >
      {fresh && <Burst pulse={30} />}
      {all.length === 0 ? (
        <p>{texts.noCodes}</p>
      ) : (
        <>
          <ul className={styles.codes}>
            {all.map((code) => (
              <li key={code}>
                <Ticket code={code} caption={texts.ticket} picture={picture} fresh={fresh} notify={notify} />
              </li>
            ))}
          </ul>
          <p className={styles.keep}>{texts.codesKeep}</p>
        </>
      )}
    </Dialog>
  )
}
