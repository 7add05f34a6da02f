import { DRAWS, STAGES, TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import { shortDay } from '@anniversary/shared/contract/event-time'
import { MISSIONS, SHARE_MISSION } from '@anniversary/shared/contract/missions'
import { Button } from '@anniversary/shared/ui/Button'
import { Dialog } from '@anniversary/shared/ui/Dialog'
import { downloadCalendar } from '@anniversary/shared/ui/draw-calendar'
import { Prizes } from '@anniversary/shared/ui/Prizes'
import styles from './Rules.module.css'
import { texts } from './texts.ts'

interface RulesProps {
  onClose(): void
  readonly supportUrl?: string | undefined
}

/** The event's rules (specification, section 1), a popup. */
export const Rules = ({ onClose, supportUrl }: RulesProps) => (
  <Dialog
    onClose={onClose}
    title={texts.title}
    className={styles.rules}
    actions={<Button onClick={onClose}>{texts.close}</Button>}
  >
    <section className={styles.section}>
      <h3>{texts.tickets.title}</h3>
      <ul className={`${styles.facts} ${styles.counts}`}>
        <li>
          {texts.tickets.perStage} <b>{texts.tickets.count(TICKETS_PER_STAGE)}</b>
        </li>
        <li>
          {texts.tickets.inAll} <b>{texts.tickets.count(TICKETS_PER_STAGE * STAGES.length)}</b>
        </li>
      </ul>
    </section>

    <section className={styles.section}>
      <h3>{texts.stages.title}</h3>
      <ol className={`${styles.facts} ${styles.stages}`}>
        {STAGES.map(({ number, firstDay, lastDay }) => (
          <li key={number}>
            <b>{texts.stages.stage(number)}</b> {shortDay(firstDay)} – {shortDay(lastDay)}
          </li>
        ))}
      </ol>
    </section>

    <section className={styles.section}>
      <h3 id="rules-missions">{texts.missions.title}</h3>
      <table className={styles.table} aria-labelledby="rules-missions">
        <thead>
          <tr>
            <th scope="col">{texts.missions.mission}</th>
            <th scope="col">{texts.missions.reward}</th>
          </tr>
        </thead>
        <tbody>
          {MISSIONS.filter(({ code }) => code !== SHARE_MISSION).map(({ code, name, tickets }) => (
            <tr key={code}>
              <th scope="row">{name}</th>
              <td>{texts.tickets.count(tickets)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {SHARE_MISSION && <p className={styles.note}>{texts.missions.share}</p>}
    </section>

    <section className={styles.section}>
      <h3>{texts.draws.title}</h3>
      <p>{texts.draws.hours}</p>
      <ul className={styles.facts}>
        {DRAWS.map(({ stage, start }) => (
          <li key={stage}>
            <b>{shortDay(start)}</b> {texts.stages.stage(stage)}
          </li>
        ))}
      </ul>
      <Button onClick={downloadCalendar}>{texts.draws.addToCalendar}</Button>
    </section>

    <div className={styles.prizes}>
      <Prizes heading="h3" />
    </div>

    <section className={styles.section}>
      <h3>{texts.terms.title}</h3>
      <ul className={styles.terms}>
        {texts.terms.list.map((term) => (
          <li key={term}>{term}</li>
        ))}
      </ul>
      {supportUrl && (
        <a href={supportUrl} target="_blank" rel="noreferrer">
          {texts.terms.support}
        </a>
      )}
    </section>
  </Dialog>
)
