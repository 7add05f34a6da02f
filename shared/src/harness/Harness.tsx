import { useMemo, useState } from 'react'
import { createFakeHost, type HostCall } from '../testing/fake-host.ts'
import { createRealHost } from './real-host.ts'
import type { HarnessOptions } from './run-harness.tsx'

/** What the person chose lives in the address, so that a reload and hot reload keep it. */
function readChoice(scenarios: HarnessOptions['scenarios'], pages: HarnessOptions['pages']) {
  const query = new URLSearchParams(location.search)
  const first = Object.keys(scenarios)[0] ?? ''
  const scenario = query.get('scenario') ?? first
  return {
    scenario: scenario in scenarios ? scenario : first,
    real: query.get('api') === 'real',
    path: location.pathname in pages ? location.pathname : (Object.keys(pages)[0] ?? '/'),
  }
}

type Choice = ReturnType<typeof readChoice>

export function Harness({ pages, scenarios }: HarnessOptions) {
  const [choice, setChoice] = useState(() => readChoice(scenarios, pages))
  const [calls, setCalls] = useState<readonly HostCall[]>([])

  const choose = (change: Partial<Choice>) => {
    const next = { ...choice, ...change }
    const query = new URLSearchParams({ scenario: next.scenario, api: next.real ? 'real' : 'fake' })
    history.pushState(null, '', `${next.path}?${query}`)
    setChoice(next)
    setCalls([])
  }

  const onCall = (call: HostCall) => {
    setCalls((before) => [...before, call])
    if (call.kind === 'navigate' && call.path in pages) {
      // The log of calls stays: the move itself is one of them.
      setChoice((before) => ({ ...before, path: call.path }))
    }
  }

  // A new host for a new choice only: a page sees one host for its whole life, as in the shell.
  // biome-ignore lint/correctness/useExhaustiveDependencies: onCall uses state setters alone
  const host = useMemo(
    () => (choice.real ? createRealHost(onCall) : createFakeHost({ ...scenarios[choice.scenario], onCall })),
    [choice.real, choice.scenario, scenarios],
  )
  const Page = pages[choice.path]

  return (
    <>
      <form className="harness-bar" aria-label="Harness">
        <label>
          Page{' '}
          <select value={choice.path} onChange={(event) => choose({ path: event.target.value })}>
            {Object.keys(pages).map((path) => (
              <option key={path}>{path}</option>
            ))}
          </select>
        </label>
        <label>
          Scenario{' '}
          <select
            value={choice.scenario}
            disabled={choice.real}
            onChange={(event) => choose({ scenario: event.target.value })}
          >
            {Object.keys(scenarios).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          <input
            type="checkbox"
            checked={choice.real}
            onChange={(event) => choose({ real: event.target.checked })}
          />{' '}
          Real API
        </label>
      </form>
      <main className="harness-page" key={`${choice.path} ${choice.scenario} ${choice.real}`}>
        {Page ? <Page host={host} /> : <p>No page at {choice.path}</p>}
      </main>
      <ol className="harness-log" aria-label="Calls to the host" aria-live="polite">
        {calls.map((call, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the log only grows
          <li key={index}>{JSON.stringify(call)}</li>
        ))}
      </ol>
    </>
  )
}
