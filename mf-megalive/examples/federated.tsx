import { createInstance } from '@module-federation/enhanced/runtime'
import * as React from 'react'
import { createRoot } from 'react-dom/client'

declare const SITE: string

interface Composition {
  remotes: Record<string, { status: 'on' | 'off'; current: { entry: string; container: string } }>
}

/** A host that is not our shell, with upstream's runtime and a React of its own: asks the site which build is current. */
const { remotes }: Composition = await (await fetch(`${SITE}/composition.json`)).json()
const megalive = remotes['mf-megalive']
// Off is its team's kill switch: what stands inside the tag shows then.
if (megalive?.status === 'on') {
  const { container, entry } = megalive.current
  const host = createInstance({
    name: 'brand',
    remotes: [{ name: container, entry: new URL(entry, SITE).href }],
    shared: {
      react: {
        version: React.version,
        lib: () => React,
        shareConfig: { singleton: true, requiredVersion: `^${React.version}` },
      },
    },
  })
  // Defines <mega-live>.
  await host.loadRemote(`${container}/mega-live`)
}

createRoot(document.body.appendChild(document.createElement('div'))).render(
  <>
    <h1>Trang chiến dịch với module federation, React {React.version}</h1>
    <mega-live src={`${SITE}/megalive-sample.html`} back-href="/">
      <a href={`${SITE}/megalive`}>Trang đăng ký</a>
    </mega-live>
  </>,
)
