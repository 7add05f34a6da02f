import type { Composition, Route } from './composition.ts'

/** A page of the site: of a remote, or without one of the shell itself. */
export interface SiteRoute extends Route {
  readonly remote?: { readonly name: string; readonly expose: string }
}

export type SiteRoutes = Readonly<Record<string, SiteRoute>>

/** The shell's own routes stay, whatever a remote claims. */
export function siteRoutes(
  own: Readonly<Record<string, Route>>,
  remotes: Composition['remotes'],
): SiteRoutes {
  const theirs = Object.entries(remotes).flatMap(([name, { current }]) =>
    Object.entries(current.routes ?? {}).map(
      ([path, { expose, ...route }]): [string, SiteRoute] => [
        path,
        { ...route, remote: { name, expose } },
      ],
    ),
  )
  return { ...Object.fromEntries(theirs), ...own }
}

export const SKELETONS = ['form', 'cards', 'table', 'fullscreen'] as const
export type SkeletonKind = (typeof SKELETONS)[number]

export const skeletonOf = ({ fullscreen, skeleton = 'form' }: Partial<Route>): SkeletonKind =>
  fullscreen ? 'fullscreen' : skeleton
