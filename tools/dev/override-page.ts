import { dataBlock } from '@anniversary/deploy/site/page'
import type { Composition } from '@anniversary/shared/contract/composition'
import type { PublicConfig } from '@anniversary/shared/contract/config'
import { COMPOSITION_ELEMENT_ID, CONFIG_ELEMENT_ID } from '@anniversary/shared/contract/element-ids'

/** A remote that comes from a dev server instead of the site. */
export interface Override {
  readonly remote: string
  /** Origin of the dev server, `http://localhost:3002`. */
  readonly origin: string
}

/** Folder of this front's own files: the banner and what switches the override. */
export const DEV_PATH = '/__dev/'

const blockOf = (id: string) => new RegExp(`<script type="application/json" id="${id}">(.*?)</script>`, 's')

/** Rewrites a data block of a page of `deploy`, whose shapes are the contract's. */
const changeBlock = <T>(html: string, id: string, change: (value: T) => unknown): string =>
  html.replace(blockOf(id), (_all, json: string) => dataBlock(id, change(JSON.parse(json) as T)))

/** True for HTML that `deploy` has written: it carries a composition. */
export const isSitePage = (html: string): boolean => blockOf(COMPOSITION_ELEMENT_ID).test(html)

/**
 * A page of the site with one remote taken from a dev server. Everything else stays as deployed, so the page is what
 * members will see once the remote is published.
 *
 * @throws Error that names the site's remotes when it has none of this name
 */
export function overridePage(html: string, { remote, origin }: Override): string {
  const withRemote = changeBlock<Composition>(html, COMPOSITION_ELEMENT_ID, (composition) => {
    const deployed = composition.remotes[remote]
    if (!deployed) {
      const names = Object.keys(composition.remotes).join(', ')
      throw new Error(
        `The site has no remote ${remote}. It has: ${names}. Publish it there once, then override it.`,
      )
    }
    const { current } = deployed
    const local = {
      ...current,
      version: 'dev',
      entry: `${origin}/entry.js`,
      // Sources change while the page is open, so there is no hash to hold them to.
      integrity: '',
      container: remote.replaceAll('-', '_'),
      // The dev build's own runtime finds its chunks.
      exposes: Object.fromEntries(
        Object.keys(current.exposes).map((expose) => [expose, { js: [], css: [] }]),
      ),
    }
    // No second chance by the deployed version: a broken local remote must be seen.
    const overridden = { status: 'on' as const, current: local }
    return { ...composition, remotes: { ...composition.remotes, [remote]: overridden } }
  })
  const preloads = new RegExp(`<link rel="preload"[^>]*href="[^"]*/${remote}/[^"]*"[^>]*>\n?`, 'g')
  // A developer's failures are told in the console, where the banner hears them, and not to the site's operator.
  const withoutReports = changeBlock<PublicConfig>(
    withRemote,
    CONFIG_ELEMENT_ID,
    ({ reportUrl, ...config }) => config,
  )
  return withoutReports.replace(preloads, '')
}

/** Puts the banner's script into a page, first of all scripts, with what it has to say. */
export function withBanner(html: string, { remote, origin }: Override, site: string, local: boolean): string {
  const data = { remote, origin, site, local: String(local) }
  const attributes = Object.entries(data).map(
    ([key, value]) => `data-${key}="${value.replaceAll('"', '&quot;')}"`,
  )
  return html.replace(
    '<head>',
    `<head>\n<script src="${DEV_PATH}banner.js" ${attributes.join(' ')}></script>`,
  )
}

/** The site's policy, with the dev server let in; https stays off, since the front speaks http. */
export function overridePolicy(policy: string, { origin }: Override): string {
  const socket = origin.replace(/^http/, 'ws')
  const more: Record<string, string> = {
    'script-src': origin,
    'style-src': origin,
    'img-src': origin,
    'font-src': origin,
    'connect-src': `${origin} ${socket}`,
    // The dev server's layer over the page, which shows errors of the build; each attempt's entry brings one.
    'trusted-types': "rspack-dev-server#overlay 'allow-duplicates'",
  }
  return policy
    .split(';')
    .map((directive) => directive.trim())
    .filter((directive) => directive !== '' && directive !== 'upgrade-insecure-requests')
    .map((directive) => {
      const added = more[directive.split(' ')[0] ?? '']
      return added ? `${directive} ${added}` : directive
    })
    .join('; ')
}
