import type { Composition, RemoteRoutes } from '@anniversary/shared/contract/composition'
import type { PublicConfig } from '@anniversary/shared/contract/config'
import {
  COMPOSITION_ELEMENT_ID,
  CONFIG_ELEMENT_ID,
  dataBlock,
} from '@anniversary/shared/contract/element-ids'
import { developmentRelease } from './release.ts'

const blockOf = (id: string) => new RegExp(`<script type="application/json" id="${id}">(.*?)</script>`, 's')

const changeBlock = <T>(html: string, id: string, change: (value: T) => unknown): string =>
  html.replace(blockOf(id), (_all, json: string) => dataBlock(id, change(JSON.parse(json) as T)))

/** True for HTML that `deploy` has written: it carries a composition. */
export const isSitePage = (html: string): boolean => blockOf(COMPOSITION_ELEMENT_ID).test(html)

/** A page of the site with one remote, which may be new to it, from a dev server. It carries the whole `composition`. */
export function overridePage(
  html: string,
  composition: Composition,
  remote: string,
  routes: RemoteRoutes,
): string {
  const withRemote = changeBlock<Composition>(html, COMPOSITION_ELEMENT_ID, () => {
    // No second chance by the deployed version: a broken local remote must be seen.
    const overridden = { status: 'on', current: developmentRelease(remote, routes) }
    return { ...composition, remotes: { ...composition.remotes, [remote]: overridden } }
  })
  const preloads = new RegExp(`<link rel="preload"[^>]*href="[^"]*/${remote}/[^"]*"[^>]*>\n?`, 'g')
  // A developer's failures are in the console; the site's operator gets none.
  const withoutReports = changeBlock<PublicConfig>(
    withRemote,
    CONFIG_ELEMENT_ID,
    ({ reportUrl, ...config }) => config,
  )
  return withoutReports.replace(preloads, '')
}
