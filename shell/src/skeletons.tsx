import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Landing } from './landing/Landing.tsx'
import { Layout } from './layout/Layout.tsx'
import { PageSkeleton } from './layout/PageSkeleton.tsx'
import { remoteRouteAt, routeTable, skeletonAt } from './route-table.ts'

const Anchor = ({ to, ...props }: { to: string; className?: string | undefined; children: ReactNode }) => (
  <a href={to} {...props} />
)

/**
 * HTML that a route shows before its code runs: the layout with the page's skeleton, or the whole landing page, whose
 * links work at once. Runs at build time.
 */
export function renderSkeleton(path: string): string {
  const route = routeTable[path]
  const page = remoteRouteAt(path) ? <PageSkeleton kind={skeletonAt(path)} /> : <Landing Link={Anchor} />
  return renderToStaticMarkup(<Layout fullscreen={route?.fullscreen ?? false}>{page}</Layout>)
}
