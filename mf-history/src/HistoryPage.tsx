import { DRAWS } from '@anniversary/shared/contract/event'
import { claimDeadline, formatEventTime } from '@anniversary/shared/contract/event-time'
import { nextMoment } from '@anniversary/shared/contract/event-timeline'
import type { PageProps } from '@anniversary/shared/contract/host'
import { paths } from '@anniversary/shared/contract/paths'
import { AccountLine } from '@anniversary/shared/ui/AccountLine'
import { Button } from '@anniversary/shared/ui/Button'
import { copyText } from '@anniversary/shared/ui/copy-text'
import { EmptyState } from '@anniversary/shared/ui/EmptyState'
import { NoWinTicket } from '@anniversary/shared/ui/NoWinTicket'
import { Panel } from '@anniversary/shared/ui/Panel'
import { Skeleton } from '@anniversary/shared/ui/Skeleton'
import { visuallyHidden } from '@anniversary/shared/ui/visually-hidden'
import { Fragment, useLayoutEffect, useRef } from 'react'
import { CodeCell } from './CodeCell.tsx'
import styles from './HistoryPage.module.css'
import { HistoryTable } from './HistoryTable.tsx'
import { TicketPlaces } from './TicketPlaces.tsx'
import { ROLES } from './table-roles.ts'
import { texts } from './texts.ts'
import { type HistoryState, useHistory } from './use-history.ts'

type Loaded = Extract<HistoryState, { name: 'loaded' }>

/** Composes the letters first, because fonts draw a decomposed "Ề" in pieces. */
const upperCase = (name: string) => name.normalize('NFC').toLocaleUpperCase('vi')

const winsOf = (tickets: Loaded['tickets']) => tickets.flatMap(({ prizes }) => prizes)

const winnersFirst = (tickets: Loaded['tickets']) =>
  [...tickets].sort((a, b) => Number(b.prizes.length > 0) - Number(a.prizes.length > 0))

const isStageOpen = (now: Date) => nextMoment(now)?.kind === 'stage-end'

function resultText(lastDraw: number): string {
  if (lastDraw === 0) return texts.resultsLater
  return lastDraw < DRAWS.length ? texts.noWinYet(lastDraw) : texts.noWin
}

/** /histories: the member's tickets, and below them their gift codes. */
export default function HistoryPage({ host }: PageProps) {
  const { state, retry } = useHistory(host)
  const title = useRef<HTMLHeadingElement>(null)
  const retried = useRef(false)
  const wins = state.name === 'loaded' ? winsOf(state.tickets) : []
  const codeCount = state.name === 'loaded' ? state.tickets.flatMap(({ codes }) => codes).length : 0
  const hasNotWon =
    state.name === 'loaded' && state.lastDraw > 0 && codeCount > 0 && wins.length === 0
  const both = state.name === 'loaded' && state.tickets.length > 0 && state.giftcodes.length > 0

  // The retry button had the focus and is gone.
  useLayoutEffect(() => {
    if (retried.current && state.name !== 'failed' && document.activeElement === document.body)
      title.current?.focus()
  }, [state.name])

  const onRetry = () => {
    retried.current = true
    retry()
  }

  return (
    <div className={styles.history}>
      {/* Above the tables, so that they do not move it when they load. */}
      <Button variant="ghost" href={paths.home}>
        {texts.back}
      </Button>
      <div>
        <h1 ref={title} tabIndex={-1}>
          {texts.title}
        </h1>
        <AccountLine host={host} />
        {wins.length > 0 ? (
          <p className={styles.wins} data-ground="paper">
            {texts.congratulations}{' '}
            {wins.map((win) => (
              <Fragment key={win.code}>
                <span className={styles.win}>{texts.win(win)}</span>{' '}
              </Fragment>
            ))}
            {texts.contact(claimDeadline(wins))}
          </p>
        ) : (
          // Two lines are reserved, so that a late result moves nothing.
          <p className={styles.result}>
            {state.name === 'loaded' && state.tickets.length > 0 && resultText(state.lastDraw)}
          </p>
        )}
      </div>
      <Panel className={styles.panel}>
        {state.name === 'loading' && <Skeleton className={styles.place} />}
        <p role="status" className={visuallyHidden}>
          {state.name === 'loading' && texts.loading}
          {state.name === 'loaded' && texts.loaded}
        </p>
        {state.name === 'failed' && (
          <EmptyState text={state.text}>
            <Button onClick={onRetry} busy={state.retrying}>
              {texts.retry}
            </Button>
          </EmptyState>
        )}
        {state.name === 'loaded' && (
          <>
            {state.tickets.length === 0 ? (
              <EmptyState text={texts.empty}>
                <Button href={paths.home}>
                  {isStageOpen(host.clock.now()) ? texts.firstMission : texts.seeMissions}
                </Button>
              </EmptyState>
            ) : (
              <HistoryTable
                title={texts.tickets}
                count={codeCount}
                columns={[texts.time, texts.codes, texts.mission]}
                shared={both}
                onCopy={(table) =>
                  copyText(
                    state.tickets.flatMap(({ codes }) => codes).join(', '),
                    texts.copied,
                    host.notify,
                    table,
                  )
                }
              >
                {winnersFirst(state.tickets).map((entry, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity, and the whole list renders anew
                  <tr key={index} {...ROLES.row}>
                    <td {...ROLES.cell} className={styles.time}>
                      {formatEventTime(entry.claimedAt)}
                    </td>
                    <CodeCell host={host} codes={entry.codes} prizes={entry.prizes}>
                      <TicketPlaces host={host} prizes={entry.prizes} lists={entry.lists ?? []} />
                    </CodeCell>
                    <td {...ROLES.cell} className={styles.mission}>
                      {upperCase(entry.name)}
                    </td>
                  </tr>
                ))}
              </HistoryTable>
            )}
            {state.giftcodes.length > 0 && (
              <HistoryTable
                title={texts.giftcodes}
                count={state.giftcodes.length}
                columns={[texts.giftcode, texts.time]}
                shared={both}
              >
                {state.giftcodes.map((entry, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: as above
                  <tr key={index} {...ROLES.row}>
                    <CodeCell host={host} codes={[entry.giftcode]} />
                    <td {...ROLES.cell} className={styles.time}>
                      {formatEventTime(entry.tradedAt)}
                    </td>
                  </tr>
                ))}
              </HistoryTable>
            )}
          </>
        )}
      </Panel>
      {hasNotWon && <NoWinTicket codes={codeCount} draw={state.lastDraw} />}
    </div>
  )
}
