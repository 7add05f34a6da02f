import type { MegaLive as MegaLiveComponent } from '@anniversary/mf-megalive/react'
import { loadRemote, registerRemotes } from '@module-federation/enhanced/runtime'
import { version } from 'react'
import { createRoot } from 'react-dom/client'

/**
 * A host that is not our shell: it reads from the published site which build is current, and loads the component from
 * there. It runs on this page's React.
 */
const root = document.getElementById('root')
const site = root?.dataset.site ?? ''

interface Published {
  remotes: Record<string, { current: { entry: string; container: string } }>
}

async function loadMegaLive(): Promise<typeof MegaLiveComponent> {
  const published: Published = await (await fetch(`${site}/composition.json`)).json()
  const current = published.remotes['mf-megalive']?.current
  if (!current) throw new Error('the site has no mf-megalive')
  registerRemotes([{ name: current.container, entry: new URL(current.entry, site).href }])
  const exposed = await loadRemote<{ MegaLive: typeof MegaLiveComponent }>(`${current.container}/MegaLive`)
  if (!exposed) throw new Error('mf-megalive does not expose ./MegaLive')
  return exposed.MegaLive
}

const MegaLive = await loadMegaLive()
if (root) {
  createRoot(root).render(
    <>
      <h1>Trang chiến dịch với module federation, React {version}</h1>
      <MegaLive
        src={root.dataset.live ?? ''}
        backHref="/"
        onReady={({ detail }) => root.setAttribute('data-ready', detail.by)}
      />
    </>,
  )
}
