import { formatEventTime } from '@anniversary/shared/contract/event-time'
import type {
  CheckResult,
  ClientApi,
  DrawResult,
  PageProps,
} from '@anniversary/shared/contract/host'
import { paths } from '@anniversary/shared/contract/paths'
import { failureText } from '@anniversary/shared/error-message'
import { readAccounts } from '@anniversary/shared/readers/account'
import {
  type CodeProblem,
  type CodeReading,
  readTicketCodes,
} from '@anniversary/shared/readers/ticket-code'
import { afterPaint } from '@anniversary/shared/ui/after-paint'
import { Button } from '@anniversary/shared/ui/Button'
import { Panel } from '@anniversary/shared/ui/Panel'
import { TextField } from '@anniversary/shared/ui/TextField'
import fieldStyles from '@anniversary/shared/ui/TextField.module.css'
import { useSingleFlight } from '@anniversary/shared/ui/use-single-flight'
import { type FormEvent, Fragment, useEffect, useLayoutEffect, useRef, useState } from 'react'
import styles from './CheckPage.module.css'
import { checkTexts as texts } from './texts/check.ts'

type Query = Parameters<ClientApi['check']>[0]

type State =
  | { readonly name: 'idle' | 'asking' }
  /** Keeps the question, because the member may have typed on meanwhile. */
  | { readonly name: 'answered'; readonly query: Query; readonly result: CheckResult }
  | { readonly name: 'failed'; readonly text: string }

const problemTexts: Record<CodeProblem, string> = {
  'input-method': texts.inputMethod,
  malformed: texts.malformedCode,
}

const choices: readonly { by: Query['by']; label: string }[] = [
  { by: 'username', label: texts.byUsername },
  { by: 'code', label: texts.byCode },
]

/** /check (specification, section 2). */
export default function CheckPage({ host }: PageProps) {
  const field = useRef<HTMLInputElement>(null)
  const [error, setError] = useState<{ readonly text: string }>()
  const [state, setState] = useState<State>({ name: 'idle' })
  const [run] = useSingleFlight()

  // As on /login.
  useLayoutEffect(() => {
    if (!error) return
    host.notify.error(error.text, { silent: field.current !== document.activeElement })
    field.current?.focus()
  }, [error, host])

  const ask = (query: Query) => {
    setState({ name: 'asking' })
    run(
      () => host.api.check(query),
      (result) => setState({ name: 'answered', query, result }),
      (error) => setState({ name: 'failed', text: failureText(error) }),
    )
  }
  /** Looks up the first of several codes. A text without one needs no call. */
  const askCode = ({ codes: [code, ...others], problem = 'malformed' }: CodeReading) => {
    if (code === undefined) return setState({ name: 'failed', text: problemTexts[problem] })
    if (others.length > 0) host.notify.info(texts.firstOfSeveral(others.length + 1))
    ask({ by: 'code', value: code })
  }
  const forget = () => {
    if (state.name !== 'asking') setState({ name: 'idle' })
  }

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const isCode = new FormData(event.currentTarget).get('by') === 'code'
    const value = field.current?.value.trim()
    if (value && isCode) return askCode(readTicketCodes(value))
    if (value) return ask({ by: 'username', value: readAccounts(value)[0] ?? value })
    afterPaint(() => setError({ text: texts.missing }))
  }

  return (
    <div className={styles.page}>
      <Panel className={styles.check}>
        <h1 tabIndex={-1}>{texts.title}</h1>
        <form className={styles.form} onSubmit={onSubmit} noValidate>
          <fieldset className={styles.choices}>
            <legend className={fieldStyles.label}>{texts.by}</legend>
            {choices.map((choice) => (
              <label key={choice.by} className={styles.choice}>
                <input
                  type="radio"
                  name="by"
                  value={choice.by}
                  defaultChecked={choice.by === 'username'}
                  onChange={forget}
                />
                {choice.label}
              </label>
            ))}
          </fieldset>
          <TextField
            ref={field}
            label={texts.asked}
            id="asked"
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            error={error?.text}
            onInput={() => setError(undefined)}
          />
          <div className={styles.buttons}>
            <Button type="submit" busy={state.name === 'asking'}>
              {texts.submit}
            </Button>
            <Button variant="secondary" href={paths.landing}>
              {texts.back}
            </Button>
          </div>
        </form>
        <div role="status">
          <Outcome state={state} api={host.api} />
        </div>
      </Panel>
    </div>
  )
}

function Outcome({ state, api }: { state: State; api: ClientApi }) {
  switch (state.name) {
    case 'idle':
      return null
    case 'asking':
      return <p>{texts.searching}</p>
    case 'failed':
      return <p>{state.text}</p>
    case 'answered':
      return (
        <div className={styles.answer}>
          <h2 className={styles.subtitle}>
            {texts.answer}: <span translate="no">{state.query.value}</span>
          </h2>
          <Answer result={state.result} asked={state.query.value} api={api} />
        </div>
      )
  }
}

interface AnswerProps {
  readonly result: CheckResult
  readonly asked: string
  readonly api: ClientApi
}

function Answer({ result, asked, api }: AnswerProps) {
  if (result.by === 'unsupported') return <p>{texts.unsupported}</p>
  if (result.by === 'code') {
    if (!result.valid) return <p>{texts.invalidCode}</p>
    return (
      <>
        <p>
          {texts.validCode} <b className={styles.stamp}>{texts.valid}</b>
        </p>
        <dl className={styles.facts}>
          <dt>{texts.stage}</dt>
          <dd>{result.stage}</dd>
          <dt>{texts.mission}</dt>
          <dd>{result.mission}</dd>
          <dt>{texts.time}</dt>
          <dd>{formatEventTime(result.claimedAt)}</dd>
          {result.lists.map(({ draw, position }) => (
            <Fragment key={draw}>
              <dt>{texts.list(draw)}</dt>
              <dd>{texts.position(position.toLocaleString('vi-VN'))}</dd>
            </Fragment>
          ))}
        </dl>
        <Win code={asked} api={api} />
      </>
    )
  }
  // Unknown names look like ones without tickets: the page must not reveal who
  // is a member.
  if (!result.stages.some(({ tickets }) => tickets > 0))
    return (
      <p>
        {texts.noTickets} {readTicketCodes(asked).codes.length > 0 && texts.isItCode}
      </p>
    )
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

/**
 * The public results have no gift codes, so a code that is not among them may
 * have won all the same.
 */
function Win({ code, api }: { code: string; api: ClientApi }) {
  const [win, setWin] = useState<DrawResult>()
  useEffect(() => {
    // In the background: an overloaded server may put it off for minutes.
    void api.draws().then((draws) => setWin(draws.find(({ codes }) => codes.includes(code))))
  }, [api, code])
  return win && <b>{texts.won(win.prize, win.draw)}</b>
}
