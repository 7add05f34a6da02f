import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Landing } from './landing/Landing.tsx'
import { Layout } from './layout/Layout.tsx'
import { PageSkeleton } from './layout/PageSkeleton.tsx'
import { remoteRouteAt, routeTable } from './routing/route-table.ts'

const Anchor = ({ to, ...props }: { to: string; className?: string | undefined; children: ReactNode }) => (
  <a href={to} {...props} />
)

/**
 * HTML of what a route shows before its code runs: the layout with the page's place, and the landing page whole, whose
 * links work at once. Runs at build time.
 */
export function renderSkeleton(path: string): string {
  const route = routeTable[path]
  const page = remoteRouteAt(path) ? (
    <PageSkeleton kind={route?.skeleton ?? (route?.cover ? 'cover' : 'form')} />
  ) : (
    <Landing Link={Anchor} />
  )
  return renderToStaticMarkup(<Layout cover={route?.cover ?? false}>{page}</Layout>)
}
