import { DRAWS } from '@anniversary/shared/contract/event'
import { formatEventTime } from '@anniversary/shared/contract/event-time'
import { isStageOpen } from '@anniversary/shared/contract/event-timeline'
import type { PageProps } from '@anniversary/shared/contract/host'
import { paths } from '@anniversary/shared/contract/paths'
import { AccountLine } from '@anniversary/shared/ui/AccountLine'
import { Button } from '@anniversary/shared/ui/Button'
import { claimAdvice } from '@anniversary/shared/ui/claim-advice'
import { copyText } from '@anniversary/shared/ui/copy-text'
import { EmptyState } from '@anniversary/shared/ui/EmptyState'
import { NoWinTicket } from '@anniversary/shared/ui/NoWinTicket'
import { Panel } from '@anniversary/shared/ui/Panel'
import { RetryButton } from '@anniversary/shared/ui/RetryButton'
import { Skeleton } from '@anniversary/shared/ui/Skeleton'
import { SupportLink } from '@anniversary/shared/ui/SupportLink'
import { visuallyHidden } from '@anniversary/shared/ui/visually-hidden'
import { Fragment } from 'react'
import { CodeCell } from './CodeCell.tsx'
import styles from './HistoryPage.module.css'
import { HistoryTable } from './HistoryTable.tsx'
import { TicketPlaces } from './TicketPlaces.tsx'
import { ROLES } from './table-roles.ts'
import { historyTexts as texts } from './texts.ts'
import { type Exchange, type HistoryState, useHistory } from './use-history.ts'

type Loaded = Extract<HistoryState, { name: 'loaded' }>

/** Composes letters first: fonts draw a decomposed "Ề" in pieces. */
const upperCase = (name: string) => name.normalize('NFC').toLocaleUpperCase('vi')

const winsOf = (tickets: Loaded['tickets']) => tickets.flatMap(({ prizes }) => prizes)

/** Without void ones, which take part in no draw. */
const codesOf = (tickets: Loaded['tickets']) =>
  tickets.flatMap(({ codes, voided }) => codes.filter((code) => !voided?.includes(code)))

const winnersFirst = (tickets: Loaded['tickets']) =>
  [...tickets].sort((a, b) => Number(b.prizes.length > 0) - Number(a.prizes.length > 0))

function resultText({ tickets, lastDraw }: Loaded): string | undefined {
  if (tickets.length === 0) return undefined
  if (lastDraw === 0) return texts.resultsLater
  if (lastDraw < DRAWS.length) return texts.noWinYet(lastDraw)
  return texts.noWin
}

/** What screen readers say; a toast tells of a failure. */
const ANNOUNCED: Record<HistoryState['name'], string> = {
  loading: texts.loading,
  loaded: texts.loaded,
  failed: '',
}

export default function HistoryPage({ host }: PageProps) {
  const { state, retry, exchange } = useHistory(host)
  const loaded = state.name === 'loaded' ? state : undefined

  return (
    <div className={styles.history}>
      {/* Above the tables, which it must not move. */}
      <Button variant="ghost" href={paths.home}>
        {texts.back}
      </Button>
      <div>
        <h1 tabIndex={-1}>{texts.title}</h1>
        <AccountLine host={host} />
        <DrawOutcome host={host} loaded={loaded} />
      </div>
      <Panel className={styles.panel}>
        {state.name === 'loading' && <Skeleton className={styles.place} />}
        <p role="status" className={visuallyHidden}>
          {ANNOUNCED[state.name]}
        </p>
        {state.name === 'failed' && (
          <EmptyState text={state.text}>
            {state.isForSupport && <SupportLink url={host.config.supportUrl} />}
            <RetryButton variant="primary" onClick={retry} busy={state.retrying}>
              {texts.retry}
            </RetryButton>
          </EmptyState>
        )}
        {loaded && (
          <>
            <TicketTable host={host} loaded={loaded} exchange={exchange} />
            <GiftcodeTable host={host} loaded={loaded} />
          </>
        )}
      </Panel>
      {loaded && (
        <NoWinTicket
          clock={host.clock}
          lastDraw={loaded.lastDraw}
          codes={codesOf(loaded.tickets).length}
          wins={winsOf(loaded.tickets).length}
        />
      )}
    </div>
  )
}

/** Two lines are reserved, so that a late result moves nothing. */
function DrawOutcome({ host, loaded }: PageProps & { loaded: Loaded | undefined }) {
  if (!loaded) return <p className={styles.result} />
  const wins = winsOf(loaded.tickets)
  if (wins.length === 0) return <p className={styles.result}>{resultText(loaded)}</p>
  return (
    <p className={styles.wins} data-ground="paper">
      {texts.congratulations}{' '}
      {wins.map((win) => (
        <Fragment key={win.code}>
          <span className={styles.win}>{texts.win(win)}</span>{' '}
        </Fragment>
      ))}
      {claimAdvice(wins, host.clock.now())}
    </p>
  )
}

interface TableProps extends PageProps {
  readonly loaded: Loaded
}

function TicketTable({
  host,
  loaded: { tickets, giftcodes },
  exchange,
}: TableProps & { exchange: Exchange }) {
  const codes = codesOf(tickets)
  if (tickets.length === 0)
    return (
      <EmptyState text={texts.empty}>
        <Button href={paths.home}>
          {isStageOpen(host.clock.now()) ? texts.firstMission : texts.seeMissions}
        </Button>
      </EmptyState>
    )
  return (
    <HistoryTable
      title={texts.tickets}
      count={codes.length}
      columns={[texts.time, texts.codes, texts.mission]}
      shared={giftcodes.length > 0}
      onCopy={
        codes.length > 0
          ? (table) => copyText(codes.join(', '), texts.copied, host.notify, table)
          : undefined
      }
    >
      {winnersFirst(tickets).map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity, and the whole list renders anew
        <tr key={index} {...ROLES.row}>
          <td {...ROLES.cell} className={styles.time}>
            {formatEventTime(entry.claimedAt)}
          </td>
          <CodeCell host={host} codes={entry.codes} prizes={entry.prizes}>
            <TicketPlaces
              host={host}
              prizes={entry.prizes}
              lists={entry.lists}
              voided={entry.voided}
              exchange={exchange}
            />
          </CodeCell>
          <td {...ROLES.cell} className={styles.mission}>
            {upperCase(entry.name)}
          </td>
        </tr>
      ))}
    </HistoryTable>
  )
}

function GiftcodeTable({ host, loaded: { tickets, giftcodes } }: TableProps) {
  if (giftcodes.length === 0) return null
  return (
    <HistoryTable
      title={texts.giftcodes}
      count={giftcodes.length}
      columns={[texts.giftcode, texts.time]}
      shared={tickets.length > 0}
    >
      {giftcodes.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <tr key={index} {...ROLES.row}>
          <CodeCell host={host} codes={[entry.giftcode]} />
          <td {...ROLES.cell} className={styles.time}>
            {formatEventTime(entry.tradedAt)}
          </td>
        </tr>
      ))}
    </HistoryTable>
  )
}
