import p1 from '../../campaign/art/prizes/1.svg'
import p2 from '../../campaign/art/prizes/2.svg'
import p3 from '../../campaign/art/prizes/3.svg'
import p4 from '../../campaign/art/prizes/4.svg'
import p5 from '../../campaign/art/prizes/5.svg'
import p6 from '../../campaign/art/prizes/6.svg'
import { DRAWS, PRIZES } from '../contract/event.ts'
import { shortDay } from '../contract/event-time.ts'
import type { DrawResult } from '../contract/host.ts'
import { eventTexts as texts } from '../texts.ts'
import styles from './Prizes.module.css'

const PICTURES: readonly string[] = [p1, p2, p3, p4, p5, p6]

interface PrizesProps {
  readonly heading: 'h2' | 'h3'
  readonly results?: readonly DrawResult[] | undefined
}

/** The shelf of prizes with their numbers, the special one on top, and below it what the draws have given so far. */
export const Prizes = ({ heading: Heading, results = [] }: PrizesProps) => (
  <section className={styles.prizes}>
    <Heading>{texts.prizes}</Heading>
    <ul className={styles.list}>
      {PRIZES.map(({ rank, name, count }, place) => (
        <li key={name} className={styles.prize}>
          <img
            className={styles.picture}
            src={PICTURES[place]}
            alt=""
            width="160"
            height="112"
            loading="lazy"
          />
          <span className={styles.rank}>{rank}</span>
          <b className={styles.name}>{name}</b>
          <span className={styles.count}>{count}</span>
        </li>
      ))}
    </ul>
    {DRAWS.filter(({ stage }) => results.some(({ draw }) => draw === stage)).map(({ stage, start }) => (
      <details key={stage} className={styles.draw} open={stage === results.at(-1)?.draw}>
        <summary>{texts.results(stage, shortDay(start))}</summary>
        <dl>
          {results
            .filter(({ draw }) => draw === stage)
            .map(({ prize, codes }) => (
              <div key={prize}>
                <dt>{prize}</dt>
                {codes.map((code) => (
                  <dd key={code} translate="no">
                    {code}
                  </dd>
                ))}
              </div>
            ))}
        </dl>
      </details>
    ))}
  </section>
)
