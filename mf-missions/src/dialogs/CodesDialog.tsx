import type { Notify } from '@anniversary/shared/contract/host'
import { Button } from '@anniversary/shared/ui/Button'
import { copyText } from '@anniversary/shared/ui/copy-text'
import { Dialog } from '@anniversary/shared/ui/Dialog'
import { texts } from '../texts.ts'
import styles from './CodesDialog.module.css'
import { flyToHistory } from './fly-to-history.ts'

interface CodesDialogProps {
  codes: readonly string[]
  fresh: boolean
  notify: Notify
  onClose(): void
}

export function CodesDialog({ codes, fresh, notify, onClose }: CodesDialogProps) {
  const all = [...new Set(codes)]
  const copy = (text: string) => copyText(text, texts.codeCopied, notify)
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
              <li key={code} className={`${styles.ticket} ${fresh ? styles.fresh : ''}`} data-ground="paper">
                <div className={styles.face}>
                  <span className={styles.caption}>{texts.ticket}</span>
                  <span className={styles.code} translate="no">
                    {code}
                  </span>
                </div>
                <button
                  type="button"
                  className={styles.stub}
                  aria-label={texts.copyCode(code)}
                  onClick={() => copy(code)}
                >
                  {texts.copy}
                </button>
              </li>
            ))}
          </ul>
          <p className={styles.keep}>{texts.codesKeep}</p>
        </>
      )}
    </Dialog>
  )
}
