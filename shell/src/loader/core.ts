import { remoteRouteAt } from '../route-table.ts'
import { handOver } from './handover.ts'
import { createLoader } from './loader.ts'
import { readPageData } from './page-data.ts'
import { renderedBy, showPrerendered } from './prerendered-page.ts'
import { applyStyles } from './release-files.ts'

/** The first script of the page: the loader, without React. */
const page = readPageData()
const loader = createLoader(page, () => remoteRouteAt(location.pathname)?.remote)
// Load the first page's remote in parallel with the host's own scripts.
const first = remoteRouteAt(location.pathname)
if (first) {
  loader.state(first.remote, first.expose)
  const painted = page.composition.remotes[first.remote]?.current
  if (painted && painted.entry === renderedBy()) {
    const styles = painted.exposes[first.expose]?.css ?? []
    // A canary's visitor sees this page until the canary is there, so its styles come besides.
    if (loader.release(first.remote) !== painted) applyStyles(styles)
    showPrerendered(styles)
  }
}

handOver({ loader, config: page.config, compositionNumber: page.composition.number })
