import type { Composition, Release } from '@anniversary/shared/contract/composition'
import type { Owner } from './report.ts'

const urlsOf = ({ entry, exposes }: Release): string[] => [
  entry,
  ...Object.values(exposes).flatMap(({ js, css }) => [...js, ...css].map(({ url }) => url)),
]

/**
 * Returns the version that lists this file, else the first whose folder holds
 * it.
 * @param shell with one script's URL
 */
export function ownerOfFile(
  url: string,
  shell: { readonly version: string; readonly url: string },
  remotes: Composition['remotes'],
): Owner | undefined {
  const forms = formsOf(url)
  const published = [
    { name: 'shell', version: shell.version, urls: [shell.url] },
    ...Object.entries(remotes).flatMap(([name, { current, previous, canary }]) =>
      [current, previous, canary?.release]
        .filter((release) => release !== undefined)
        .map((release) => ({ name, version: release.version, urls: urlsOf(release) })),
    ),
  ]
  const isIn = (folder: string) => forms.some((form) => form.startsWith(`${folder}/`))
  return (
    published.find(({ urls }) => urls.some((file) => forms.includes(file))) ??
    published.find(({ urls: [entry = ''] }) => isIn(entry.slice(0, entry.lastIndexOf('/'))))
  )
}

/**
 * A file's URLs as compositions write them: with the origin, and for the page's
 * own origin also without. No query.
 */
function formsOf(url: string): readonly string[] {
  try {
    // Parsed first, because `/mf-x/1.0.0/../../evil.js` starts like a folder's
    // file.
    const file = new URL(url, location.href).href.replace(/[?#].*/, '')
    const { origin } = location
    if (!file.startsWith(`${origin}/`)) return [file]
    return [file, file.slice(origin.length)]
  } catch {
    return []
  }
}
