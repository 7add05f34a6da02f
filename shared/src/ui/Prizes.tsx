import { DRAWS } from '../contract/event.ts'
import { shortDay } from '../contract/event-time.ts'
import type { DrawResult, FrozenList, Host } from '../contract/host.ts'
import { PRIZES } from '../contract/prizes.ts'
import { eventTexts as texts } from '../texts.ts'
import { DrawList } from './DrawList.tsx'
import styles from './Prizes.module.css'
import { prizePicture } from './prize-picture.ts'

interface PrizesProps {
  readonly heading: 'h2' | 'h3'
  readonly results?: readonly DrawResult[] | undefined
  readonly frozen?: { readonly host: Host; readonly lists: readonly FrozenList[] }
}

export const Prizes = ({ heading: Heading, results = [], frozen }: PrizesProps) => (
  <section className={styles.prizes}>
    {frozen &&
      [...frozen.lists]
        .reverse()
        .map((list) => <DrawList key={list.draw} host={frozen.host} list={list} />)}
    {DRAWS.filter(({ stage }) => results.some(({ draw }) => draw === stage))
      .reverse()
      .map(({ stage, start }, place) => (
        <details key={stage} className={styles.draw} open={place === 0}>
          <summary>{texts.results(stage, shortDay(start))}</summary>
          <dl>
            {results
              .filter(({ draw }) => draw === stage)
              .map(({ prize, codes, owners }) => (
                <div key={prize}>
                  <dt>{prize}</dt>
                  {codes.map((code, index) => (
                    <dd key={code} translate="no">
                      {code}
                      {owners?.[index] && <small> {owners[index]}</small>}
                    </dd>
                  ))}
                </div>
              ))}
          </dl>
        </details>
      ))}
    <Heading className={styles.title}>{texts.prizes}</Heading>
    <ul className={styles.list}>
      {PRIZES.map(({ rank, name, count }) => (
        <li key={name} className={styles.prize}>
          <img src={prizePicture(name)} alt="" width="160" height="112" loading="lazy" />
          <small>{rank}</small>
          <b>{name}</b>
          <span>{count}</span>
        </li>
      ))}
    </ul>
  </section>
)
