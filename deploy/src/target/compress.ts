import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { lookup } from 'mrmime'

const brotli = promisify(brotliCompress)

const TEXT = /\.(js|mjs|css|html|svg|json|txt|xml|map|webmanifest|ics)$/
/** A smaller file fits into one packet uncompressed. */
const MIN_BYTES = 1024
export const brotliPath = (path: string): string => `${path}.br`
export const plainPath = (path: string): string => path.replace(/\.br$/, '')

const known = new WeakMap<Buffer, Promise<Buffer>>()

export async function compressedVariant(path: string, bytes: Buffer): Promise<Buffer | null> {
  if (!TEXT.test(path) || bytes.length < MIN_BYTES) return null
  const params = {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  const compressing = known.get(bytes) ?? brotli(bytes, { params })
  known.set(bytes, compressing)
  const variant = await compressing
  if (variant.length < bytes.length) return variant
  return null
}

/** Files of one version, or shared by versions, never change. */
export const PUBLISHED_PATTERN =
  '^/[a-z][a-z0-9-]*/([0-9]+\\.[0-9]+\\.[0-9]+[^/]*-[0-9a-f]{12}|immutable)/'

export const CACHE = {
  immutable: 'public, max-age=31536000, immutable',
  /** A deploy shows at once; an unchanged file costs a 304. */
  fresh: 'no-cache',
  none: 'no-store',
}

function cacheOf(path: string): string {
  if (/^(\.|compositions\/|preview\/)/.test(path)) return CACHE.none
  if (path.startsWith('composition/')) return CACHE.immutable
  if (new RegExp(PUBLISHED_PATTERN).test(`/${path}`)) return CACHE.immutable
  return CACHE.fresh
}

export const contentOf = (path: string) => ({
  ContentType: contentTypeOf(path),
  CacheControl: cacheOf(path),
})

export function contentTypeOf(path: string): string {
  const type = lookup(path) ?? 'application/octet-stream'
  if (/^text\/|json$|javascript$|xml$/.test(type)) return `${type}; charset=utf-8`
  return type
}
