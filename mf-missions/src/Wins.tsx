import type { Host, Win } from '@anniversary/shared/contract/host'
import { paths } from '@anniversary/shared/contract/paths'
import { prizePicture } from '@anniversary/shared/ui/prize-picture'
import { texts } from './texts.ts'
import styles from './Wins.module.css'

/** What the member has won, with which codes, and what to do next. The first thing on /home from a draw's results on. */
export function Wins({ host, wins }: { host: Host; wins: readonly Win[] }) {
  const { supportUrl } = host.config
  const picture = wins.map(({ prize }) => prizePicture(prize)).find(Boolean)
  return (
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
      <p className={styles.links}>
        {supportUrl && (
          <a href={supportUrl} target="_blank" rel="noreferrer">
            {texts.support}
          </a>
        )}
        <a href={paths.histories}>{texts.seeHistory}</a>
      </p>
    </section>
  )
}
