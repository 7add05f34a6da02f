import { createInstance } from '@module-federation/enhanced/runtime'
import * as React from 'react'
import { createRoot } from 'react-dom/client'

declare const SITE: string

interface Composition {
  remotes: Record<string, { current: { entry: string; container: string } }>
}

/** A host that is not our shell, with upstream's runtime and a React of its own: asks the site which build is current. */
const { remotes }: Composition = await (await fetch(`${SITE}/composition.json`)).json()
const current = remotes['mf-megalive']?.current
if (!current) throw new Error(`${SITE} has no mf-megalive`)

const host = createInstance({
  name: 'brand',
  remotes: [{ name: current.container, entry: new URL(current.entry, SITE).href }],
  shared: {
    react: {
      version: React.version,
      lib: () => React,
      shareConfig: { singleton: true, requiredVersion: `^${React.version}` },
    },
  },
})
// Defines <mega-live>.
await host.loadRemote(`${current.container}/mega-live`)

createRoot(document.body.appendChild(document.createElement('div'))).render(
  <>
    <h1>Trang chiến dịch với module federation, React {React.version}</h1>
    <mega-live src={`${SITE}/megalive-sample.html`} back-href="/" />
  </>,
)
