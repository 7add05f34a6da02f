import { DRAWS, STAGES, TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import { lastClaimDay, shortDay } from '@anniversary/shared/contract/event-time'
import { MISSIONS, SHARE_MISSION } from '@anniversary/shared/contract/missions'
import { CALENDAR_FILE } from '@anniversary/shared/contract/paths'
import { Button } from '@anniversary/shared/ui/Button'
import { Dialog } from '@anniversary/shared/ui/Dialog'
import { Prizes } from '@anniversary/shared/ui/Prizes'
import { SupportLink } from '@anniversary/shared/ui/SupportLink'
import type { ReactNode } from 'react'
import styles from './Rules.module.css'
import { rulesTexts as texts } from './texts.ts'

interface RulesProps {
  onClose(): void
  readonly supportUrl?: string | undefined
}

const PARTS = ['stages', 'missions', 'draws', 'prizes', 'terms'] as const

const idOf = (part: string) => `rules-${part}`

function jumpTo(part: string) {
  const section = document.getElementById(idOf(part))
  section?.scrollIntoView()
  section?.focus({ preventScroll: true })
}

interface PartProps {
  readonly name: 'tickets' | 'stages' | 'missions' | 'draws' | 'terms'
  readonly children: ReactNode
}

const Part = ({ name, children }: PartProps) => (
  <section id={idOf(name)} className={styles.section} tabIndex={-1}>
    <h3>{texts[name].title}</h3>
    {children}
  </section>
)

export const Rules = ({ onClose, supportUrl }: RulesProps) => (
  <Dialog
    onClose={onClose}
    title={texts.title}
    className={styles.rules}
    actions={<Button onClick={onClose}>{texts.close}</Button>}
  >
    <nav className={styles.jumps} aria-label={texts.jumps}>
      {PARTS.map((part) => (
        <Button key={part} variant="secondary" onClick={() => jumpTo(part)}>
          {texts[part].short}
        </Button>
      ))}
    </nav>

    <Part name="tickets">
      <ul className={`${styles.facts} ${styles.counts}`}>
        <li>
          {texts.tickets.perStage} <b>{texts.tickets.count(TICKETS_PER_STAGE)}</b>
        </li>
        <li>
          {texts.tickets.inAll} <b>{texts.tickets.count(TICKETS_PER_STAGE * STAGES.length)}</b>
        </li>
      </ul>
    </Part>

    <Part name="stages">
      <ol className={`${styles.facts} ${styles.stages}`}>
        {STAGES.map(({ number, firstDay, lastDay }) => (
          <li key={number}>
            <b>{texts.stages.stage(number)}</b> {shortDay(firstDay)} – {shortDay(lastDay)}
          </li>
        ))}
      </ol>
    </Part>

    <Part name="missions">
      <table className={styles.table} aria-label={texts.missions.title}>
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
    </Part>

    <Part name="draws">
      <p>{texts.draws.hours}</p>
      <ul className={styles.facts}>
        {DRAWS.map(({ stage, start }) => (
          <li key={stage}>
            <b>{shortDay(start)}</b> {texts.stages.stage(stage)},{' '}
            {texts.draws.claimBy(shortDay(lastClaimDay(start)))}
          </li>
        ))}
      </ul>
      <Button className={styles.calendar} href={CALENDAR_FILE}>
        {texts.draws.addToCalendar}
      </Button>
    </Part>

    <div id={idOf('prizes')} className={styles.prizes} tabIndex={-1}>
      <Prizes heading="h3" />
    </div>

    <Part name="terms">
      <ul className={styles.terms}>
        {texts.terms.list.map((term) => (
          <li key={term}>{term}</li>
        ))}
      </ul>
      <SupportLink url={supportUrl} />
    </Part>
  </Dialog>
)
