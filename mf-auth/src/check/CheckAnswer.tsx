import { formatEventTime } from '@anniversary/shared/contract/event-time'
import type { CheckResult } from '@anniversary/shared/contract/host'
import { Fragment } from 'react'
import type { Query } from '../CheckPage.tsx'
import { texts } from '../texts/check.ts'
import styles from './CheckAnswer.module.css'

export const CheckAnswer = ({ query, result }: { query: Query; result: CheckResult }) => (
  <div className={styles.answer}>
    <h2 className={styles.subtitle}>
      {texts.answer}: <span translate="no">{query.value}</span>
    </h2>
    <Found result={result} />
  </div>
)

function Found({ result }: { result: CheckResult }) {
  if (result.by === 'unsupported') return <p>{texts.unsupported}</p>
  if (result.by === 'code') {
    if (!result.valid) return <p>{texts.invalidCode}</p>
    return (
      <>
        <p>{texts.validCode}</p>
        <dl className={styles.facts}>
          <dt>{texts.stage}</dt>
          <dd>{result.stage}</dd>
          <dt>{texts.mission}</dt>
          <dd>{result.mission}</dd>
          <dt>{texts.time}</dt>
          <dd>{formatEventTime(result.claimedAt)}</dd>
          <dt>{texts.owner}</dt>
          <dd translate="no">{result.owner}</dd>
        </dl>
      </>
    )
  }
  // An unknown login name looks like one without tickets: this page must not tell who is a member.
  if (!result.stages.some(({ tickets }) => tickets > 0)) return <p>{texts.noTickets}</p>
  return (
    <dl className={styles.facts}>
      {result.stages.map(({ stage, tickets }) => (
        <Fragment key={stage}>
          <dt>{texts.stageNumber(stage)}</dt>
          <dd>{texts.tickets(tickets)}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
