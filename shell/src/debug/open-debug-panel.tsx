import { Button } from '@anniversary/shared/ui/Button'
import { copyText } from '@anniversary/shared/ui/copy-text'
import { type CSSProperties, useEffect, useReducer } from 'react'
import { createRoot } from 'react-dom/client'
import type { Loader } from '../loader/loader.ts'
import { notifyMember } from '../toasts/toast-store.ts'
import { readPageFacts } from './page-facts.ts'

const EVERY_MS = 1000

// Not a style sheet, whose hash every page would carry.
const PANEL: CSSProperties = {
  position: 'fixed',
  inset: 'auto 0 0',
  zIndex: 'var(--z-skip-link)',
  maxHeight: '50vh',
  overflow: 'auto',
  background: '#111',
  color: '#eee',
}

export async function openDebugPanel(loader: Loader): Promise<void> {
  await loader.composition.routes.load()
  const place = document.createElement('div')
  document.body.append(place)
  createRoot(place).render(<DebugPanel loader={loader} />)
}

/** docs/use/failures.md. For engineers, so in English. */
function DebugPanel({ loader }: { loader: Loader }) {
  const [, refresh] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(refresh, EVERY_MS)
    return () => clearInterval(timer)
  }, [])

  const facts = JSON.stringify(readPageFacts(loader), null, 2)
  return (
    <details style={PANEL} lang="en" open>
      <summary>What runs in this page</summary>
      <Button variant="secondary" onClick={() => copyText(facts, 'Copied.', notifyMember)}>
        Copy as JSON
      </Button>
      <pre>{facts}</pre>
    </details>
  )
}
