import { publicConfigSchema } from '@anniversary/shared/contract/config'
import { lookup } from 'mrmime'
import { headerRules, headersFor } from '../serve/headers.ts'
import { ENCODINGS, plainPath } from '../site/compress.ts'

// Cache headers depend on the path alone, so any composition and configuration will do.
const RULES = headerRules(
  { number: 1, createdAt: '', shell: { version: '', contract: '' }, remotes: {} },
  publicConfigSchema.parse({}),
)

/** Metadata of a file in a bucket: `x.js.br` is `x.js`, encoded in brotli. */
export function contentOf(path: string) {
  const plain = plainPath(path)
  const hidden = plain.startsWith('.') || plain.startsWith('compositions/')
  return {
    ContentType: typeOf(plain),
    ContentEncoding: ENCODINGS.find(({ ending }) => path.endsWith(ending))?.name,
    CacheControl: hidden ? 'no-store' : (headersFor(RULES, `/${plain}`)['cache-control'] ?? 'no-cache'),
  }
}

export function typeOf(path: string): string {
  const type = lookup(path) ?? 'application/octet-stream'
  return /^text\/|json$|javascript$|xml$/.test(type) ? `${type}; charset=utf-8` : type
}
