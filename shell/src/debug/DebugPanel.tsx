import { Button } from '@anniversary/shared/ui/Button'
import { copyText } from '@anniversary/shared/ui/copy-text'
import { type CSSProperties, type ReactNode, useEffect, useReducer } from 'react'
import type { Loader } from '../loader/loader.ts'
import { notifyMember } from '../toasts/toast-store.ts'
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
  whiteSpace: 'pre-line',
}

const spanText = (times: RemoteFacts['entry']): string =>
  times ? `${times.from}–${times.to} ms` : 'not loaded'

function versionOf({ version, isCanary, contract, previous, canary }: RemoteFacts): ReactNode {
  const about = [
    `contract ${contract}`,
    previous && `before it ${previous}`,
    canary && `canary ${canary}`,
  ]
  return (
    <>
      {version} {isCanary && '(canary)'} <small>{about.filter(Boolean).join(', ')}</small>
    </>
  )
}

function stateOf({ status, pages }: RemoteFacts): ReactNode {
  if (status === 'off') return 'switched off'
  return pages.map(({ path, state }) => `${path} ${state}`).join('\n')
}

const COLUMNS: Readonly<Record<string, (remote: RemoteFacts) => ReactNode>> = {
  version: versionOf,
  state: stateOf,
  entry: ({ entry }) => spanText(entry),
  files: ({ pages }) => pages.map(({ files }) => spanText(files)).join('\n'),
  shown: ({ shown }) => shown !== undefined && `${Math.round(shown)} ms`,
  retries: ({ retries }) => retries,
  integrity: ({ integrity }) => <span title={integrity}>{integrity.slice(0, 14)}…</span>,
}

/** docs/use/failures.md. For engineers, so in English. */
export function DebugPanel({ loader }: { loader: Loader }) {
  const [, refresh] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(refresh, EVERY_MS)
    return () => clearInterval(timer)
  }, [])

  const facts = readPageFacts(loader)
  return (
    <details style={PANEL} lang="en" open>
      <summary>
        composition {facts.composition}, shell {facts.shell}, React {facts.shared.react}
      </summary>
      <table>
        <thead>
          <tr>
            {['remote', ...Object.keys(COLUMNS)].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {facts.remotes.map((remote) => (
            <tr key={remote.name}>
              <th scope="row">{remote.name}</th>
              {Object.entries(COLUMNS).map(([head, content]) => (
                <td key={head}>{content(remote)}</td>
              ))}
            </tr>
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
      <Button
        variant="secondary"
        onClick={() => copyText(JSON.stringify(facts, null, 2), 'Copied.', notifyMember)}
      >
        Copy as JSON
      </Button>
    </details>
  )
}
