import type { Composition } from '@anniversary/shared/contract/composition'

/** A version folder of the composition: all files below it were published as this version of this package. */
export interface PublishedFolder {
  readonly name: string
  readonly version: string
  /** Absolute, with a slash at its end. */
  readonly url: string
}

/** @param shellUrl URL of a script of the shell */
export function publishedFolders(
  { shell, remotes }: Composition,
  shellUrl: string,
): readonly PublishedFolder[] {
  const absolute = (url: string) => new URL('.', new URL(url, location.href)).href
  return [
    { name: 'shell', version: shell.version, url: absolute(shellUrl) },
    ...Object.entries(remotes).flatMap(([name, { current, previous, canary }]) =>
      [current, previous, canary?.release].flatMap((release) =>
        release ? [{ name, version: release.version, url: absolute(release.entry) }] : [],
      ),
    ),
  ]
}

/** The folder that a URL lies in; undefined: it is not published. */
export function folderOf(folders: readonly PublishedFolder[], url: string): PublishedFolder | undefined {
  // Parsed first: `/mf-x/1.0.0/../../evil.js` begins like a folder and lies elsewhere.
  try {
    const { href } = new URL(url, location.href)
    return folders.find((folder) => href.startsWith(folder.url))
  } catch {
    return undefined
  }
}
