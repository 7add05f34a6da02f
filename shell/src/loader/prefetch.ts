import type { Release } from '@anniversary/shared/contract/composition'

const requested = new Set<string>()

/** Fetches a page's files without running them. Their requests have the mode of the later load, which else fetches twice. */
export function prefetchFiles(release: Release, expose: string): void {
  const { js = [], css = [] } = release.exposes[expose] ?? {}
  prefetch('script', release, new URL(release.entry, location.href).origin !== location.origin)
  for (const file of js) prefetch('script', file, true)
  for (const file of css) prefetch('style', file, true)
}

function prefetch(
  as: string,
  file: { entry?: string; url?: string; integrity: string },
  cors: boolean,
): void {
  const url = file.entry ?? file.url ?? ''
  if (requested.has(url)) return
  requested.add(url)
  const link = document.createElement('link')
  link.rel = 'preload'
  link.as = as
  link.integrity = file.integrity
  if (cors) link.crossOrigin = 'anonymous'
  link.href = url
  document.head.append(link)
}
