import type { Host, Win } from '@anniversary/shared/contract/host'
import { paths } from '@anniversary/shared/contract/paths'
import { Button } from '@anniversary/shared/ui/Button'
import { copyText } from '@anniversary/shared/ui/copy-text'
import { prizePicture } from '@anniversary/shared/ui/prize-picture'
import { codeTexts } from './code-texts.ts'
import styles from './DrawNews.module.css'
import { texts } from './texts.ts'

interface DrawNewsProps {
  host: Host
  wins: readonly Win[]
  /** The member's codes of all stages, to compare with those of the show. */
  codes: readonly string[]
}

/** What the member has won and what to do next, and the codes of a draw's evening. */
export function DrawNews({ host, wins, codes }: DrawNewsProps) {
  const { supportUrl } = host.config
  const picture = wins.map(({ prize }) => prizePicture(prize)).find(Boolean)
  return (
    <>
      {wins.length > 0 && (
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
          <p>{codeTexts.wonNext}</p>
          <div className={styles.row}>
            <Button variant="link" href={paths.histories}>
              {codeTexts.seeHistory}
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
            <h2>{codeTexts.ownCodes(codes.length)}</h2>
            <Button
              variant="link"
              onClick={() => copyText(codes.join(', '), codeTexts.codeCopied, host.notify)}
            >
              {codeTexts.copyAll}
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
