import type { Composition } from '@anniversary/shared/contract/composition'

/** A version folder of the composition: what lies below it was published as this package in this version. */
export interface PublishedFolder {
  readonly name: string
  readonly version: string
  /** Absolute, with a slash at its end. */
  readonly url: string
}

/** @param shellUrl of a script of the shell; default: the one that runs, so call it while one runs */
export function publishedFolders(
  { shell, remotes }: Composition,
  shellUrl = (document.currentScript as HTMLScriptElement | null)?.src ?? '', // the shell's are no SVG scripts
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

/** The folder that a URL lies in, or undefined for one that nobody published. */
export function folderOf(folders: readonly PublishedFolder[], url: string): PublishedFolder | undefined {
  // Parsed first: `/mf-x/1.0.0/../../evil.js` begins like a folder and lies elsewhere.
  try {
    const { href } = new URL(url, location.href)
    return folders.find((folder) => href.startsWith(folder.url))
  } catch {
    return undefined
  }
}
