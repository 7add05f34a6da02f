import { Button } from '@anniversary/shared/ui/Button'
import { type ReactNode, useId, useRef } from 'react'
import styles from './HistoryPage.module.css'
import { ROLES } from './table-roles.ts'
import { historyTexts as texts } from './texts.ts'

interface HistoryTableProps {
  title: string
  /** Number of all entries. */
  count: number
  columns: readonly string[]
  /** Both tables show, so each is lower (specification, section 9). */
  shared: boolean
  /** @param table where the codes are shown */
  onCopy?: ((table: HTMLElement | null) => void) | undefined
  children: ReactNode
}

/**
 * The scroll region takes the focus, so that arrow keys scroll it (WCAG 2.1.1).
 */
export function HistoryTable({
  title,
  count,
  columns,
  shared,
  onCopy,
  children,
}: HistoryTableProps) {
  const titleId = useId()
  const table = useRef<HTMLTableElement>(null)
  return (
    <div>
      <div className={styles.head}>
        <h2 id={titleId}>
          {title} ({count})
        </h2>
        {onCopy && (
          <Button variant="link" onClick={() => onCopy(table.current)}>
            {texts.copyAll}
          </Button>
        )}
      </div>
      <section
        className={shared ? `${styles.scroll} ${styles.half}` : styles.scroll}
        aria-labelledby={titleId}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
      >
        <table ref={table} {...ROLES.table} className={styles.table} aria-labelledby={titleId}>
          <thead {...ROLES.rowgroup}>
            <tr {...ROLES.row}>
              {columns.map((column) => (
                <th key={column} {...ROLES.columnheader} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody {...ROLES.rowgroup}>{children}</tbody>
        </table>
      </section>
    </div>
  )
}
