import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { lookup } from 'mrmime'

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

const TEXT = /\.(js|mjs|css|html|svg|json|txt|xml|map|webmanifest|ics)$/
/** A smaller file fits into one packet uncompressed. */
const MIN_BYTES = 1024

/** Encodings, the best first, and the endings of their files. */
export const ENCODINGS = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const

export const plainPath = (path: string): string => path.replace(/\.(br|gz)$/, '')

export async function sentBytes(path: string, bytes: Buffer): Promise<number> {
  const [best] = await variantsOf(path, bytes)
  return (best?.[1] ?? bytes).length
}

/** Compressed variants to store beside a file, the best first. Leaves out a variant that is not smaller. */
export async function variantsOf(path: string, bytes: Buffer): Promise<[path: string, bytes: Buffer][]> {
  if (!TEXT.test(path) || bytes.length < MIN_BYTES) return []
  const compressing = known.get(bytes) ?? compress(path, bytes)
  known.set(bytes, compressing)
  const [br, gz] = await compressing
  const found: [string, Buffer][] = [
    [`${path}.br`, br],
    [`${path}.gz`, gz],
  ]
  return found.filter(([, variant]) => variant.length < bytes.length)
}

/** So that size, smoke test and upload compress a file once. */
const known = new WeakMap<Buffer, Promise<[br: Buffer, gz: Buffer]>>()

/** Every change writes all pages: these settings are fast. */
const PAGE = /\.(html|json)$/
const PAGE_PARAMS = {
  [constants.BROTLI_PARAM_QUALITY]: 9,
  [constants.BROTLI_PARAM_LGWIN]: 16,
}

const compress = (path: string, bytes: Buffer): Promise<[br: Buffer, gz: Buffer]> =>
  Promise.all([
    brotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        ...(PAGE.test(path) ? PAGE_PARAMS : {}),
      },
    }),
    gzipped(bytes, { level: 9 }),
  ])

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
