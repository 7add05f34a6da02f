import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { errorMessage } from '@anniversary/shared/error-message'
import { Rejected } from '../rejected.ts'
import type { ReportSource } from '../reports/report-source.ts'
import { HTTPS_HEADERS } from '../serve/headers.ts'
import type { Handler } from '../serve/server.ts'
import type { Target } from '../target/target.ts'
import { act, actionSchema } from './actions.ts'
import { controlPage, PAGE_HEADERS } from './page.ts'
import { controlState } from './state.ts'

export interface ControlOptions {
  readonly target: Target
  /** Opens the page's data and its actions; at least `MIN_KEY` characters. */
  readonly key: string
  readonly source: ReportSource | null
}

/** Characters of a key that nobody guesses at ten tries a minute. */
export const MIN_KEY = 16
const TRIES_A_MINUTE = 10
const BODY_LIMIT = 1024

export const isControlPath = (url: string): boolean => /^\/control(?=[/?]|$)/.test(url)

interface Answer {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}
const refused = (status: number, error: string, headers = {}): Answer => ({
  status,
  body: { error, problems: [] },
  headers,
})

/** Serves the control page under /control: the page to everybody, what it shows and does to whoever has the key. */
export function controlHandler({ target, key, source }: ControlOptions): Handler {
  const isKey = keyCheck(key)
  const tries = wrongKeys()

  async function answer(request: IncomingMessage): Promise<Answer | string> {
    const call = `${request.method} ${(request.url ?? '').replace(/\?.*$/s, '').replace(/\/$/, '')}`
    if (call === 'GET /control' || call === 'HEAD /control') return await controlPage(null)
    if (isFromElsewhere(request)) return refused(403, 'This call comes from another site')
    const peer = addressOf(request)
    const wait = tries.waitOf(peer)
    if (wait > 0)
      return refused(429, `Too many wrong keys: wait ${wait} seconds`, { 'retry-after': `${wait}` })
    if (!isKey(request.headers.authorization)) {
      tries.add(peer)
      return refused(401, 'The key is wrong')
    }
    if (call === 'GET /control/state') return { status: 200, body: await controlState(target, source) }
    if (call !== 'POST /control/act') return refused(404, 'There is nothing here')
    if (!/^application\/json\b/.test(request.headers['content-type'] ?? '') || tooLong(request))
      return refused(415, `Send JSON of at most ${BODY_LIMIT} bytes`)
    const sent = actionSchema.safeParse(parsed(await text(request)))
    if (!sent.success) return refused(400, 'This is no action')
    const { record, summary, changed } = await act(target, sent.data)
    return { status: 200, body: { number: record.number, summary, changed } }
  }

  return async (request, response) => {
    const found = await answer(request).catch((error: unknown): Answer => {
      if (error instanceof Rejected)
        return { status: 409, body: { error: 'refused', problems: error.problems } }
      console.error(error)
      return refused(500, errorMessage(error))
    })
    const isPage = typeof found === 'string'
    const bytes = Buffer.from(isPage ? found : JSON.stringify(found.body))
    response.writeHead(isPage ? 200 : found.status, {
      ...(isPage ? PAGE_HEADERS : { 'content-type': 'application/json', ...found.headers }),
      ...(request.headers['x-forwarded-proto'] === 'https' ? HTTPS_HEADERS : {}),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-length': bytes.length,
    })
    response.end(request.method === 'HEAD' ? undefined : bytes)
  }
}

/** Compares hashes, in the same time however much of the key is right. */
function keyCheck(key: string): (authorization: string | undefined) => boolean {
  const hash = (value: string) => createHash('sha256').update(value).digest()
  const expected = hash(`Bearer ${key}`)
  return (authorization = '') => timingSafeEqual(hash(authorization), expected)
}

/** Counts wrong keys by address, a minute at a time for all of them, so that it cannot grow for long. */
function wrongKeys() {
  let counts = new Map<string, number>()
  let minute = 0
  return {
    /** Seconds until this address may try again. */
    waitOf(peer: string): number {
      const now = Math.floor(Date.now() / 60_000)
      if (now !== minute) counts = new Map()
      minute = now
      return (counts.get(peer) ?? 0) < TRIES_A_MINUTE ? 0 : 60 - (Math.floor(Date.now() / 1000) % 60)
    },
    add(peer: string): void {
      counts.set(peer, (counts.get(peer) ?? 0) + 1)
    },
  }
}

const LOOPBACK = /^(::1|(::ffff:)?127\.)/

/** A proxy on this machine names the browser's address last. */
function addressOf({ socket, headers }: IncomingMessage): string {
  const peer = socket.remoteAddress ?? ''
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .at(-1)
  return (LOOPBACK.test(peer) && forwarded?.trim()) || peer
}

/** Browsers say where a call comes from; a cookie, which they would send by themselves, there is none. */
function isFromElsewhere({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return true
  return headers.origin !== undefined && headers.origin.replace(/^https?:\/\//, '') !== headers.host
}

const tooLong = ({ headers }: IncomingMessage): boolean => !(Number(headers['content-length']) <= BODY_LIMIT)

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
