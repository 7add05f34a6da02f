import { useState } from 'react'
import { createFakeHost, type HostCall } from '../testing/fake-host.ts'
import { createRealHost } from './real-host.ts'
import type { HarnessOptions } from './run-harness.tsx'

/** A page with a host of its own, and a form for the next choice, which the address keeps: each choice loads anew. */
export function Harness({ pages, scenarios }: HarnessOptions) {
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
