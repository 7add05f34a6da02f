import type { Composition, Release } from '@anniversary/shared/contract/composition'

/** Where the code of one version of a package lies. Its other versions may lie in the same folder. */
export interface PublishedFolder {
  readonly name: string
  readonly version: string
  /** Absolute, with a slash at its end. */
  readonly url: string
  /** Absolute URLs of the files in it that are known to be this version's. */
  readonly files: readonly string[]
}

/** URLs of the files that the composition names of a release; its lazy chunks are known to its own code only. */
export const urlsOf = ({ entry, exposes }: Release): string[] => [
  entry,
  ...Object.values(exposes).flatMap(({ js, css }) => [...js, ...css].map(({ url }) => url)),
]

/** @param shellUrl URL of a script of the shell */
export function publishedFolders(
  shellVersion: string,
  shellUrl: string,
  remotes: Composition['remotes'],
): readonly PublishedFolder[] {
  const absolute = (url: string) => new URL(url, location.href).href
  const folder = (url: string) => new URL('.', absolute(url)).href
  return [
    { name: 'shell', version: shellVersion, url: folder(shellUrl), files: [] },
    ...Object.entries(remotes).flatMap(([name, { current, previous, canary }]) =>
      [current, previous, canary?.release]
        .filter((release) => release !== undefined)
        .map((release) => ({
          name,
          version: release.version,
          url: folder(release.entry),
          files: urlsOf(release).map(absolute),
        })),
    ),
  ]
}

/** The version that lists this file, else the first version whose folder holds it; undefined: it is not published. */
export function folderOf(folders: readonly PublishedFolder[], url: string): PublishedFolder | undefined {
  // Parsed first: `/mf-x/1.0.0/../../evil.js` begins like a folder and lies elsewhere.
  try {
    const { href, origin, pathname } = new URL(url, location.href)
    return (
      folders.find(({ files }) => files.includes(origin + pathname)) ??
      folders.find((folder) => href.startsWith(folder.url))
    )
  } catch {
    return undefined
  }
}
