import { remoteRouteAt } from '../route-table.ts'
import { handOver } from './handover.ts'
import { createLoader } from './loader.ts'
import { readPageData } from './page-data.ts'
import { showPrerendered } from './prerendered-page.ts'

/** The first script of the page: the loader, without React. */
const page = readPageData()
const loader = createLoader(page, () => remoteRouteAt(location.pathname)?.remote)
// Load the first page's remote in parallel with the host's own scripts.
const first = remoteRouteAt(location.pathname)
if (first) {
  loader.state(first.remote, first.expose)
  const release = loader.release(first.remote)
  if (release) showPrerendered(release, first.expose)
}

handOver({ loader, config: page.config, compositionNumber: page.composition.number })
