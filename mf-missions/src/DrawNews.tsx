import type { Host } from '@anniversary/shared/contract/host'
import { paths } from '@anniversary/shared/contract/paths'
import { Button } from '@anniversary/shared/ui/Button'
import { claimAdvice } from '@anniversary/shared/ui/claim-advice'
import { copyText } from '@anniversary/shared/ui/copy-text'
import { NoWinTicket } from '@anniversary/shared/ui/NoWinTicket'
import { prizePicture } from '@anniversary/shared/ui/prize-picture'
import { useRef } from 'react'
import { codeTexts } from './code-texts.ts'
import styles from './DrawNews.module.css'
import { type HomeState, winsOfTickets } from './store/home-state.ts'

/** Without void ones and those that have won, which take part in no draw. */
function codesOfMember({ missions, tickets }: HomeState): readonly string[] {
  const entries = tickets ?? []
  const codes = new Set([...(missions ?? []), ...entries].flatMap((one) => one.codes))
  for (const { voided = [], prizes } of entries)
    for (const code of [...voided, ...prizes.map((win) => win.code)]) codes.delete(code)
  return [...codes]
}

interface DrawNewsProps {
  host: Host
  state: HomeState
}

export function DrawNews({ host, state }: DrawNewsProps) {
  const codes = codesOfMember(state)
  const wins = winsOfTickets(state.tickets ?? []).length
  // Where all codes have won, "no codes" would be wrong on their evening.
  const areAllWon = codes.length === 0 && wins > 0
  return (
    <>
      <WinCard host={host} wins={state.shownWins} />
      <NoWinTicket clock={host.clock} lastDraw={state.lastDraw} codes={codes.length} wins={wins} />
      {state.isDrawNext && state.tickets && !areAllWon && <OwnCodes host={host} codes={codes} />}
    </>
  )
}

function WinCard({ host, wins }: { host: Host; wins: HomeState['shownWins'] }) {
  if (wins.length === 0) return null
  const { supportUrl } = host.config
  const advice = claimAdvice(wins, host.clock.now())
  const picture = wins.map(({ prize }) => prizePicture(prize)).find(Boolean)
  return (
    <section className={styles.wins} data-ground="paper">
      {picture && <img src={picture} alt="" width="160" height="112" />}
      <h2>{codeTexts.wonTitle}</h2>
      <ul>
        {wins.map(({ code, draw, prize }) => (
          <li key={code}>
            <b translate="no">{code}</b> {codeTexts.wonVerb} <b>{prize}</b>{' '}
            {codeTexts.wonDraw(draw)}
          </li>
        ))}
      </ul>
      {advice && <p>{advice}</p>}
      <div className={styles.row}>
        <Button variant="link" href={paths.histories}>
          {codeTexts.seeHistory}
        </Button>
        {supportUrl && (
          <Button variant="link" href={supportUrl} target="_blank" rel="noreferrer">
            {codeTexts.support}
          </Button>
        )}
      </div>
    </section>
  )
}

function OwnCodes({ host, codes }: { host: Host; codes: readonly string[] }) {
  const list = useRef<HTMLUListElement>(null)
  if (codes.length === 0) return <p className={styles.none}>{codeTexts.noCodesForDraw}</p>
  return (
    <section className={styles.own}>
      <div className={styles.row}>
        <h2>{codeTexts.ownCodes(codes.length)}</h2>
        <Button
          variant="link"
          onClick={() =>
            copyText(codes.join(', '), codeTexts.codeCopied, host.notify, list.current)
          }
        >
          {codeTexts.copyAll}
        </Button>
      </div>
      <ul ref={list} translate="no">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </section>
  )
}
