import '../tokens.css'
import '../../campaign/theme.css'
import '../reset.css'
import './harness.css'
import { type ComponentType, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { createClient } from '../client/create-client.ts'
import { createEventClock } from '../client/event-clock.ts'
import type { Host, PageProps, Session } from '../contract/host.ts'
import { createFakeHost, type FakeHostOptions, type HostCall } from '../testing/fake-host.ts'

export interface HarnessOptions {
  /** The remote's pages by the path on which the shell shows them. */
  readonly pages: Readonly<Record<string, ComponentType<PageProps>>>
  /** Named states to look at, each a set of answers for the fake host. */
  readonly scenarios: Readonly<Record<string, FakeHostOptions>>
}

/** Shows a remote's pages alone: a fake host and fixtures, or the real API of a running `npm start`. */
export function runHarness(options: HarnessOptions): void {
  const element = document.getElementById('harness')
  if (!element) throw new Error('harness.html has no #harness')
  createRoot(element).render(<Harness {...options} />)
}

/** A page with a host of its own, and a form for the next choice, which the address keeps: each choice loads anew. */
function Harness({ pages, scenarios }: HarnessOptions) {
  const [query] = useState(() => new URLSearchParams(location.search))
  const scenario = oneOf(scenarios, query.get('scenario'))
  const real = query.get('api') === 'real'
  const [path, setPath] = useState(() => oneOf(pages, query.get('page') ?? location.pathname))
  const [calls, setCalls] = useState<readonly HostCall[]>([])
  const [host] = useState(() => {
    const onCall = (call: HostCall) => {
      setCalls((before) => [...before, call])
      if (call.kind === 'navigate' && call.path in pages) setPath(call.path)
    }
    return real ? createRealHost(onCall) : createFakeHost({ ...scenarios[scenario], onCall })
  })
  const Page = pages[path]

  return (
    <>
      <form
        className="harness-bar"
        aria-label="Harness"
        onChange={(event) => event.currentTarget.requestSubmit()}
      >
        <Choice label="Page" name="page" value={path} options={pages} />
        <Choice label="Scenario" name="scenario" value={scenario} options={scenarios} />
        <label>
          <input type="checkbox" name="api" value="real" defaultChecked={real} /> Real API
        </label>
      </form>
      <main className="harness-page">{Page && <Page host={host} />}</main>
      <ol className="harness-log" aria-label="Calls to the host" aria-live="polite">
        {calls.map((call, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the log only grows
          <li key={index}>{JSON.stringify(call)}</li>
        ))}
      </ol>
    </>
  )
}

/** The wanted name where there is such an option, else the first one. */
function oneOf(options: object, wanted: string | null): string {
  const names = Object.keys(options)
  return names.find((name) => name === wanted) ?? names[0] ?? ''
}

interface ChoiceProps {
  label: string
  name: string
  value: string
  options: object
}

const Choice = ({ label, name, value, options }: ChoiceProps) => (
  <label>
    {label}{' '}
    <select key={value} name={name} defaultValue={value}>
      {Object.keys(options).map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  </label>
)

const KEY = 'harness-session'

/** A host whose API is the real one behind the dev server's proxy; everything else is still the fake. */
function createRealHost(onCall: (call: HostCall) => void): Host {
  // JSON that only this function has written.
  const saved = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Session | null
  const fake = createFakeHost({ session: saved, onCall })
  fake.session.subscribe(() => sessionStorage.setItem(KEY, JSON.stringify(fake.session.current())))
  const clock = createEventClock()
  return {
    ...fake,
    clock,
    api: createClient({
      config: fake.config,
      token: () => fake.session.current()?.token,
      onFailure: (_failure, message, status) =>
        (status === 400 ? fake.notify.warning : fake.notify.error)(message),
      onEventTime: clock.sync,
    }),
  }
}
