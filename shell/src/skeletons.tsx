import { PLACE_MARKS } from '@anniversary/shared/contract/prerendered'
import { renderToString } from 'react-dom/server'
import { Link, MemoryRouter } from 'react-router-dom'
import { Landing } from './landing/Landing.tsx'
import { Banner } from './layout/Banner.tsx'
import { Layout } from './layout/Layout.tsx'
import { PageSkeleton } from './layout/PageSkeleton.tsx'
import { remoteRouteAt, routeTable, skeletonAt } from './route-table.ts'

/** Place of a remote's page in the rendered text. */
const PLACE = '%PAGE%'

/**
 * HTML that a route shows before its code runs: what App.tsx renders first, element by element, so that it hydrates.
 * The landing page is whole; in place of a remote's page, between marks, is its skeleton. Runs at build time.
 */
export function renderSkeleton(path: string): string {
  const { fullscreen = false } = routeTable[path] ?? {}
  const html = renderToString(
    <MemoryRouter initialEntries={[path]}>
      <Banner text={null} />
      <Banner text={null} />
      <Layout fullscreen={fullscreen}>{remoteRouteAt(path) ? PLACE : <Landing Link={Link} />}</Layout>
    </MemoryRouter>,
  )
  const skeleton = renderToString(<PageSkeleton kind={skeletonAt(path)} />)
  return html.replace(PLACE, PLACE_MARKS.start + skeleton + PLACE_MARKS.end)
}
