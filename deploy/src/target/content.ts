import { publicConfigSchema } from '@anniversary/shared/contract/config'
import { lookup } from 'mrmime'
import { ENCODINGS } from '../compress.ts'
import { headerRules, headersFor } from '../headers.ts'

export interface Content {
  readonly type: string
  readonly encoding?: string
  readonly cacheControl: string
}

// Caching is a matter of the path alone; only the policy depends on composition and configuration.
const RULES = headerRules(
  { number: 1, createdAt: '', shell: { version: '', contract: '' }, remotes: {} },
  publicConfigSchema.parse({}),
)

/** How a file of a site is served; of `x.js.br` as `x.js` in that encoding. */
export function contentOf(path: string): Content {
  const encoding = ENCODINGS.find(({ ending }) => path.endsWith(ending))
  const plain = encoding ? path.slice(0, -encoding.ending.length) : path
  const type = typeOf(plain)
  const hidden = plain.startsWith('.') || plain.startsWith('compositions/')
  const cacheControl = hidden ? 'no-store' : (headersFor(RULES, `/${plain}`)['cache-control'] ?? 'no-cache')
  return { type, cacheControl, ...(encoding ? { encoding: encoding.name } : {}) }
}

export function typeOf(path: string): string {
  const type = lookup(path) ?? 'application/octet-stream'
  return /^text\/|json$|javascript$|xml$/.test(type) ? `${type}; charset=utf-8` : type
}
