import '../tokens.css'
import '../../campaign/theme.css'
import '../reset.css'
import './harness.css'
import { type ComponentType, useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { PageProps } from '../contract/host.ts'
import { createFakeHost, type FakeHostOptions, type HostCall } from '../testing/fake-host.ts'

interface HarnessOptions {
  /** By the path on which the shell shows them. */
  readonly pages: Readonly<Record<string, ComponentType<PageProps>>>
  readonly scenarios: Readonly<Record<string, FakeHostOptions>>
}

export function runHarness(options: HarnessOptions): void {
  allowOwnScripts()
  const element = document.body.appendChild(document.createElement('div'))
  createRoot(element).render(<Harness {...options} />)
}

/**
 * As the shell does in a site. It makes no HTML, so a library needs its own
 * policy.
 */
function allowOwnScripts(): void {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypesOfPage }
  trustedTypes?.createPolicy('default', { createScriptURL: (url) => url })
}

interface TrustedTypesOfPage {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown
}

/** The address keeps the choices: each one loads anew. */
function Harness({ pages, scenarios }: HarnessOptions) {
  const [query] = useState(() => new URLSearchParams(location.search))
  const scenario = oneOf(scenarios, query.get('scenario'))
  const [path, setPath] = useState(() => oneOf(pages, query.get('page') ?? location.pathname))
  const [calls, setCalls] = useState<readonly HostCall[]>([])
  const [host] = useState(() => {
    const onCall = (call: HostCall) => {
      setCalls((before) => [...before, call])
      if (call.kind === 'navigate' && call.path in pages) setPath(call.path)
    }
    return createFakeHost({ ...scenarios[scenario], onCall })
  })
  const Page = pages[path]

  return (
    <>
      <form
        className="harness-bar"
        aria-label="Harness"
        onChange={(event) => event.currentTarget.requestSubmit()}
      >
        {[
          { label: 'Page', value: path, options: pages },
          { label: 'Scenario', value: scenario, options: scenarios },
        ].map(({ label, value, options }) => (
          <label key={label}>
            {label}{' '}
            <select key={value} name={label.toLowerCase()} defaultValue={value}>
              {Object.keys(options).map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </label>
        ))}
      </form>
      <main className="harness-page">{Page && <Page host={host} />}</main>
      <ol aria-label="Calls to the host" aria-live="polite">
        {calls.map((call, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the log only grows
          <li key={index}>{JSON.stringify(call)}</li>
        ))}
      </ol>
    </>
  )
}

function oneOf(options: object, wanted: string | null): string {
  const names = Object.keys(options)
  return names.find((name) => name === wanted) ?? names[0] ?? ''
}
