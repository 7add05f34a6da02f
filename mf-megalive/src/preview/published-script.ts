import type { Build, Composition } from '@anniversary/shared/contract/composition'

/** The embed's script as a site serves it now. */
export interface PublishedScript {
  /** Address of this version for as long as the site keeps it. */
  readonly pinned: string
  /** Subresource integrity of the pinned one, `sha384-…`. */
  readonly integrity: string
  readonly version: string
}

async function read<T>(url: URL): Promise<T> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return response.json()
}

/**
 * Reads address and hash from the running site, so that there is no list to maintain.
 * @param site any address of the site
 * @throws Error when the site does not answer or has no mf-megalive
 */
export async function publishedScript(site: string): Promise<PublishedScript> {
  const { remotes } = await read<Composition>(new URL('/composition.json', site))
  const { version, entry } = remotes['mf-megalive']?.current ?? {}
  if (!version || !entry) throw new Error(`${site} has no mf-megalive`)
  // The entry lies in the version's folder or beside it (decision 0020).
  const folder = new URL(`../${version}/`, new URL(entry, site))
  const { files } = await read<Build>(new URL('build.json', folder))
  const { integrity } = files['embed/mega-live.js'] ?? {}
  if (!integrity) throw new Error(`${folder} has no script of the embed`)
  return { pinned: new URL('embed/mega-live.js', folder).href, integrity, version }
}
