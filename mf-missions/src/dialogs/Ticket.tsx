import type { Notify } from '@anniversary/shared/contract/host'
import { copyText } from '@anniversary/shared/ui/copy-text'
import type { CSSProperties } from 'react'
import { codeTexts } from '../code-texts.ts'
import { RollingCode } from './RollingCode.tsx'
import styles from './Ticket.module.css'

interface TicketContent {
  readonly code: string
  readonly prize?: string
  readonly caption: string
  readonly picture?: string | undefined
}

interface TicketProps extends TicketContent {
  /** Of the part that a dialog's description names. */
  id: string
  entrance?: 'stamp' | 'roll' | undefined
  notify: Notify
}

/** Each with the dash behind it. */
const groupsOf = (code: string) => code.match(/[^-]+-?/g) ?? [code]

export const Ticket = ({ id, code, prize, caption, picture, entrance, notify }: TicketProps) => (
  <div className={`${styles.ticket} ${entrance ? styles[entrance] : ''}`} data-ground="paper">
    <div id={id} className={styles.face}>
      {picture && <img src={picture} alt="" width="76" height="60" />}
      <span>
        {prize && <b className={styles.prize}>{prize}</b>}
        <span className={styles.caption}>{caption} </span>
        <span className={styles.code} translate="no">
          {entrance === 'roll' ? (
            <RollingCode code={code} />
          ) : (
            groupsOf(code).map((group, place) => (
              <span
                // biome-ignore lint/suspicious/noArrayIndexKey: groups may repeat, and their order stays
                key={place}
                className={styles.group}
                style={{ '--place': place } as CSSProperties} // React's type knows no custom properties
              >
                {group}
              </span>
            ))
          )}
        </span>
      </span>
    </div>
    <button
      type="button"
      className={styles.stub}
      aria-label={codeTexts.copyCode(code)}
      onClick={({ currentTarget: { parentElement } }) =>
        copyText(code, codeTexts.codeCopied, notify, parentElement?.querySelector('[translate=no]'))
      }
    >
      {codeTexts.copy}
    </button>
  </div>
)
