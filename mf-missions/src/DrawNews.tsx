import { nextMoment } from '@anniversary/shared/contract/event-timeline'
import type { Host } from '@anniversary/shared/contract/host'
import { paths } from '@anniversary/shared/contract/paths'
import { Button } from '@anniversary/shared/ui/Button'
import { copyText } from '@anniversary/shared/ui/copy-text'
import { prizePicture } from '@anniversary/shared/ui/prize-picture'
import { useState } from 'react'
import styles from './DrawNews.module.css'
import { type HomeState, ownCodes, winsOf } from './store/home-state.ts'
import { texts } from './texts.ts'

/** What the member has won and what to do next; from a stage's end to the end of its draw the member's codes. */
export function DrawNews({ host, state }: { host: Host; state: HomeState }) {
  // As when the page was opened: a draw that begins or ends moves nothing.
  const [isDrawNext] = useState(() => nextMoment(host.clock.now())?.kind.startsWith('draw'))
  const { supportUrl } = host.config
  const wins = winsOf(state.tickets)
  const codes = isDrawNext ? ownCodes(state) : []
  const picture = wins.map(({ prize }) => prizePicture(prize)).find(Boolean)
  return (
    <>
      {wins.length > 0 && (
        <section className={styles.wins} data-ground="paper">
          <h2>{texts.wonTitle}</h2>
          {picture && <img src={picture} alt="" width="160" height="112" />}
          <ul>
            {wins.map(({ code, draw, prize }) => (
              <li key={code}>
                <b translate="no">{code}</b> {texts.wonVerb} <b>{prize}</b> {texts.wonDraw(draw)}
              </li>
            ))}
          </ul>
          <p>{texts.wonNext}</p>
          <div className={styles.row}>
            <Button variant="link" href={paths.histories}>
              {texts.seeHistory}
            </Button>
            {supportUrl && (
              <Button variant="link" href={supportUrl} target="_blank" rel="noreferrer">
                {texts.support}
              </Button>
            )}
          </div>
        </section>
      )}
      {codes.length > 0 && (
        <section className={styles.own}>
          <div className={styles.row}>
            <h2>{texts.ownCodes(codes.length)}</h2>
            <Button variant="link" onClick={() => copyText(codes.join(', '), texts.codeCopied, host.notify)}>
              {texts.copyAll}
            </Button>
          </div>
          <ul translate="no">
            {codes.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
