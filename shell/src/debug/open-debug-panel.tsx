import { version } from 'react'
import { createRoot } from 'react-dom/client'
import type { Loader } from '../loader/loader.ts'
import { DebugPanel } from './DebugPanel.tsx'
import { writeFederationSnapshot } from './federation-snapshot.ts'

export async function openDebugPanel(loader: Loader): Promise<void> {
  await loader.composition.routes.load()
  writeFederationSnapshot(loader, version)
  const place = document.createElement('div')
  document.body.append(place)
  createRoot(place).render(<DebugPanel loader={loader} />)
}
