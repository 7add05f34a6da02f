import type { Composition } from '@anniversary/shared/contract/composition'

/** The embed's script as a site serves it now. */
export interface PublishedScript {
  /** Address of this version for as long as the site keeps it. */
  readonly pinned: string
  /** Subresource integrity of the pinned one, `sha384-…`. */
  readonly integrity: string
  readonly version: string
}

async function get(url: URL): Promise<Response> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return response
}

/**
 * Reads address and hash from the running site, so that there is no list to maintain.
 * @param site any address of the site
 * @throws Error when the site does not answer or has no mf-megalive
 */
export async function publishedScript(site: string): Promise<PublishedScript> {
  const composition: Composition = await (await get(new URL('/composition.json', site))).json()
  const { version, entry } = composition.remotes['mf-megalive']?.current ?? {}
  if (!version || !entry) throw new Error(`${site} has no mf-megalive`)
  // The entry lies in the version's folder or beside it (decision 0020).
  const pinned = new URL(`../${version}/embed/mega-live.js`, new URL(entry, site))
  const bytes = await (await get(pinned)).arrayBuffer()
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-384', bytes))
  return {
    pinned: pinned.href,
    integrity: `sha384-${btoa(String.fromCharCode(...digest))}`,
    version,
  }
}
