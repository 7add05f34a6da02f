import { createInstance } from '@module-federation/enhanced/runtime'
import * as React from 'react'
import { createRoot } from 'react-dom/client'

declare const SITE: string

interface Composition {
  remotes: Record<string, { status: 'on' | 'off' }>
}

/** A foreign host with upstream's runtime and its own React. */
async function loadEmbed(): Promise<void> {
  const { remotes }: Composition = await (await fetch(`${SITE}/composition.json`)).json()
  if (remotes['mf-megalive']?.status !== 'on') return
  const host = createInstance({
    name: 'brand',
    remotes: [{ name: 'mf-megalive', entry: `${SITE}/mf-megalive/mf-manifest.json` }],
    shared: {
      react: {
        version: React.version,
        lib: () => React,
        shareConfig: { singleton: true, requiredVersion: `^${React.version}` },
      },
    },
  })
  await host.loadRemote('mf-megalive/mega-live')
}

createRoot(document.body.appendChild(document.createElement('div'))).render(
  <>
    <h1>Trang chiến dịch với module federation, React {React.version}</h1>
    <mega-live src={`${SITE}/megalive-sample.html`} back-href="/">
      <a href={`${SITE}/megalive`}>Trang đăng ký</a>
    </mega-live>
  </>,
)

// While it loads, is switched off or has failed, the content of the tag shows.
loadEmbed().catch(() => undefined)
