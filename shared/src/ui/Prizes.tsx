import { DRAWS } from '../contract/event.ts'
import { shortDay } from '../contract/event-time.ts'
import type { DrawResult } from '../contract/host.ts'
import { PRIZES } from '../contract/prizes.ts'
import { eventTexts as texts } from '../texts.ts'
import styles from './Prizes.module.css'
import ball from './prizes/ball.svg'
import car from './prizes/car.svg'
import code from './prizes/code.svg'
import motorbike from './prizes/motorbike.svg'
import phone from './prizes/phone.svg'
import voucher from './prizes/voucher.svg'

/** By the prize's place. */
const PICTURES: readonly string[] = [car, ball, motorbike, phone, voucher, code]

export interface PrizesProps {
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
