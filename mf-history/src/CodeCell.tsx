import type { Host } from '@anniversary/shared/contract/host'
import { copyText } from '@anniversary/shared/ui/copy-text'
import type { ReactNode } from 'react'
import styles from './HistoryPage.module.css'
import { texts } from './texts.ts'

interface CodeCellProps {
  host: Host
  codes: readonly string[]
  prizes?: readonly { readonly code: string; readonly prize: string }[]
  /** Lines below the codes. */
  children?: ReactNode
}

/** What codes have won, then the codes, those first, joined by commas. A click copies them. */
export function CodeCell({ host, codes, prizes = [], children }: CodeCellProps) {
  const won = [...new Set(prizes.map(({ code }) => code))]
  const shown = [...won, ...codes.filter((code) => !won.includes(code))]
  const text = shown.join(', ')
  return (
    <td>
      {prizes.map(({ code, prize }) => (
        <span key={code} className={styles.won}>
          {texts.won(prize)}
        </span>
      ))}
      {text !== '' && (
        <button
          type="button"
          className={styles.codes}
          aria-label={texts.copy(text)}
          onClick={() => copyText(text, texts.copied, host.notify)}
        >
          <span translate="no">
            {shown.map((code, index) => (
              <span
                // biome-ignore lint/suspicious/noArrayIndexKey: codes may repeat, and their order stays
                key={index}
                className={styles.code}
                data-won={won.includes(code) ? '' : undefined}
              >
                {code.slice(0, code.indexOf('-') + 1)}
                <span className={styles.rest}>
                  {code.slice(code.indexOf('-') + 1)}
                  {index < shown.length - 1 && ', '}
                </span>
              </span>
            ))}
          </span>
          <svg viewBox="0 0 24 24" width="16" height="16" aria-hidden="true" fill="none">
            <path
              d="M9 9h10v11H9zM15 9V4H5v11h4"
              stroke="currentColor"
              strokeWidth="2"
              strokeLinejoin="round"
            />
          </svg>
        </button>
      )}
      {children}
    </td>
  )
}
