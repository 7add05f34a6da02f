import type { Host } from '@anniversary/shared/contract/host'
import { copyText } from '@anniversary/shared/ui/copy-text'
import { Fragment, type ReactNode, useRef } from 'react'
import styles from './HistoryPage.module.css'
import { ROLES } from './table-roles.ts'
import { historyTexts as texts } from './texts.ts'

interface CodeCellProps {
  host: Host
  codes: readonly string[]
  prizes?: readonly { readonly code: string; readonly prize: string }[]
  children?: ReactNode
}

/** Winning codes come first. As text, which phones can select. */
export function CodeCell({ host, codes, prizes = [], children }: CodeCellProps) {
  const list = useRef<HTMLSpanElement>(null)
  const won = [...new Set(prizes.map(({ code }) => code))]
  const shown = [...won, ...codes.filter((code) => !won.includes(code))]
  const text = shown.join(', ')
  return (
    <td {...ROLES.cell}>
      {prizes.map(({ code, prize }) => (
        <span key={code} className={styles.won}>
          {texts.won(prize)}
        </span>
      ))}
      {text !== '' && (
        <span className={styles.row}>
          <span ref={list} translate="no">
            {shown.map((code, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: codes may repeat, and their order stays
              <Fragment key={index}>
                {index > 0 && ' '}
                <span className={styles.code} data-won={won.includes(code) ? '' : undefined}>
                  {index < shown.length - 1 ? `${code},` : code}
                </span>
              </Fragment>
            ))}
          </span>
          <button
            type="button"
            className={styles.copy}
            aria-label={texts.copy(text)}
            onClick={() => copyText(text, texts.copied, host.notify, list.current)}
          >
            <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" fill="none">
              <path
                d="M9 9h10v11H9zM15 9V4H5v11h4"
                stroke="currentColor"
                strokeWidth="2"
                strokeLinejoin="round"
              />
            </svg>
          </button>
        </span>
      )}
      {children}
    </td>
  )
}
