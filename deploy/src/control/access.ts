import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Characters. At ten tries a minute nobody guesses such a key. */
export const MIN_KEY = 16
const TRIES_A_MINUTE = 10
/** A night on call. */
const SESSION_MS = 12 * 3_600_000

/** Opens the control page to people with the key. Sessions are in memory: a restart of the server ends them. */
export function keyAccess(key: string) {
  const expected = hash(key)
  const sessions = new Map<string, { readonly by: string; readonly until: number }>()
  const wrongKeys = new Map<string, number>()
  // Cleared each minute, which also bounds its size.
  setInterval(() => wrongKeys.clear(), 60_000).unref()

  return {
    /** Name that the person has logged in with; undefined: there is no session. */
    whoIs(request: IncomingMessage): string | undefined {
      const session = sessions.get(tokenOf(request))
      return session && session.until > Date.now() ? session.by : undefined
    },
    /** @returns the cookie of a new session, or the reason of the refusal */
    logIn(
      request: IncomingMessage,
      sent: URLSearchParams,
    ): { cookie: string } | { wrong: string; status: number } {
      const by = sent.get('by')?.trim().slice(0, 64)
      if (!by) return { status: 400, wrong: 'Your name is missing.' }
      const address = addressOf(request)
      const tries = wrongKeys.get(address) ?? 0
      if (tries >= TRIES_A_MINUTE) return { status: 429, wrong: 'Too many wrong keys: wait a minute.' }
      if (!timingSafeEqual(hash(sent.get('key') ?? ''), expected)) {
        wrongKeys.set(address, tries + 1)
        return { status: 403, wrong: 'The key is wrong.' }
      }
      for (const [token, { until }] of sessions) if (until <= Date.now()) sessions.delete(token)
      const token = randomBytes(32).toString('base64url')
      sessions.set(token, { by, until: Date.now() + SESSION_MS })
      const secure = request.headers['x-forwarded-proto'] === 'https' ? '; Secure' : ''
      // Lax: a link in an alert opens the page. What changes something is a POST, which gets no cookie from elsewhere.
      return { cookie: `control=${token}; Path=/control; HttpOnly; SameSite=Lax${secure}` }
    },
    logOut: (request: IncomingMessage): void => void sessions.delete(tokenOf(request)),
  }
}

/** Hashes are compared in constant time, and are of equal length. */
const hash = (value: string): Buffer => createHash('sha256').update(value).digest()

const tokenOf = ({ headers }: IncomingMessage): string =>
  /(?:^|; )control=([\w-]+)/.exec(headers.cookie ?? '')?.[1] ?? ''

const LOOPBACK = /^(::1|(::ffff:)?127\.)/

/** A proxy on this machine names the browser's address last. */
function addressOf({ socket, headers }: IncomingMessage): string {
  const peer = socket.remoteAddress ?? ''
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .at(-1)
  return (LOOPBACK.test(peer) && forwarded?.trim()) || peer
}

/** Whether a page of this origin sends this, according to Sec-Fetch-Site, or over plain http to Origin. */
export function isFromHere({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return headers.origin?.replace(/^https?:\/\//, '') === headers.host
}
