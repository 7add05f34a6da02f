import { lookup } from 'mrmime'
import { ENCODINGS, plainPath } from './compress.ts'

/** Paths of published files, which never change: those of one version of a package, and those that its versions share. */
export const PUBLISHED_PATTERN = '^/[a-z][a-z0-9-]*/([0-9]+\\.[0-9]+\\.[0-9]+[^/]*-[0-9a-f]{12}|immutable)/'

export const CACHE = {
  immutable: 'public, max-age=31536000, immutable',
  /** Revalidated on each use, so that a deploy shows at once. An unchanged file costs a 304. */
  fresh: 'no-cache',
  none: 'no-store',
}

function cacheOf(path: string): string {
  if (/^(\.|compositions\/|preview\/)/.test(path)) return CACHE.none
  return new RegExp(PUBLISHED_PATTERN).test(`/${path}`) || path.startsWith('composition/')
    ? CACHE.immutable
    : CACHE.fresh
}

export function contentOf(path: string) {
  const plain = plainPath(path)
  return {
    ContentType: typeOf(plain),
    ContentEncoding: ENCODINGS.find(({ ending }) => path.endsWith(ending))?.name,
    CacheControl: cacheOf(plain),
  }
}

export function typeOf(path: string): string {
  const type = lookup(path) ?? 'application/octet-stream'
  return /^text\/|json$|javascript$|xml$/.test(type) ? `${type}; charset=utf-8` : type
}
