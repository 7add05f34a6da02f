import { Button } from '@anniversary/shared/ui/Button'
import { copyText } from '@anniversary/shared/ui/copy-text'
import { type CSSProperties, useEffect, useReducer } from 'react'
import type { Loader } from '../loader/loader.ts'
import { notify } from '../toasts/toast-store.ts'
import { type RemoteFacts, readPageFacts } from './page-facts.ts'

const EVERY_MS = 1000

// Not a style sheet, whose hash every page would carry.
const PANEL: CSSProperties = {
  position: 'fixed',
  inset: 'auto 0 0',
  zIndex: 'var(--z-skip-link)',
  maxHeight: '50vh',
  overflow: 'auto',
  padding: 'var(--space-2) var(--space-4)',
  background: '#111',
  color: '#eee',
  font: '12px / 1.4 monospace',
}

/** Says what runs in this page (docs/use/failures.md). For engineers, so in English. */
export function DebugPanel({ loader }: { loader: Loader }) {
  const [, refresh] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(refresh, EVERY_MS)
    return () => clearInterval(timer)
  }, [])

  const facts = readPageFacts(loader)
  const copy = () => copyText(JSON.stringify(facts, null, 2), 'Copied.', notify)
  return (
    <details style={PANEL} lang="en" open>
      <summary>
        composition {facts.composition}, shell {facts.shell}, React {facts.shared.react}
      </summary>
      <table>
        <thead>
          <tr>
            {['remote', 'version', 'state', 'entry', 'files', 'shown', 'retries', 'integrity'].map(
              (head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {facts.remotes.map((remote) => (
            <RemoteRow key={remote.name} remote={remote} />
          ))}
        </tbody>
      </table>
      <ul aria-label="failures">
        {facts.failures.map((failure, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: failures are only added
          <li key={index}>
            <b>{failure.owner}</b> {failure.phase} {failure.next}: {failure.message}
          </li>
        ))}
      </ul>
      <Button variant="secondary" onClick={copy}>
        Copy as JSON
      </Button>
    </details>
  )
}

function RemoteRow({ remote }: { remote: RemoteFacts }) {
  const { name, version, isCanary, canary, previous, contract, entry, shown, retries } = remote
  const lines = remote.pages.map(({ path, state, files }) => ({ path, state, files: span(files) }))
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        {version} {isCanary && '(canary)'}
        <small>
          contract {contract}
          {previous && `, before it ${previous}`}
          {canary && `, canary ${canary}`}
        </small>
      </td>
      <td>
        {remote.status === 'off' && 'switched off'}
        {lines.map(({ path, state }) => (
          <div key={path}>
            {path} {state}
          </div>
        ))}
      </td>
      <td>{span(entry)}</td>
      <td>
        {lines.map(({ path, files }) => (
          <div key={path}>{files}</div>
        ))}
      </td>
      <td>{shown === undefined ? '' : `${Math.round(shown)} ms`}</td>
      <td>{retries}</td>
      <td title={remote.integrity}>{remote.integrity.slice(0, 14)}…</td>
    </tr>
  )
}

const span = (times: RemoteFacts['entry']): string =>
  times ? `${times.from}–${times.to} ms` : 'not loaded'
