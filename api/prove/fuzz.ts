import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { startApi } from './api-process.ts'
import { type BadRequest, badBytes, badRequest } from './bad-requests.ts'
import { checkSound, login } from './members.ts'
import { check, inFolder, proof } from './report.ts'

const agent = new Agent({ keepAlive: true, maxSockets: 32 })
const CLIENTS = 16
/** Longer than any answer may take, also on a busy machine. */
const PATIENCE_MS = 30_000

interface Answer {
  readonly status: number
  readonly body: string
}

/** @returns the answer; status 0 when Node refuses to send it, or when the server hung up, as it may on what is not HTTP */
async function send(origin: string, { method, path, headers, body }: BadRequest): Promise<Answer> {
  const payload = method === 'GET' || method === 'HEAD' || method === 'TRACE' ? undefined : body
  const length = payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload) }
  const signal = AbortSignal.timeout(PATIENCE_MS)
  try {
    const sending = request(`${origin}${path}`, { agent, method, headers: { ...headers, ...length }, signal })
    sending.on('error', () => undefined) // also after the answer
    sending.end(payload)
    const [response] = (await once(sending, 'response')) as [IncomingMessage]
    return { status: response.statusCode ?? 0, body: await text(response) }
  } catch {
    check(!signal.aborted, `an answer within ${PATIENCE_MS} ms`)
    return { status: 0, body: '' }
  }
}

/** Must never be in an answer: a stack, a file name, SQL or a message of the database. */
const LEAK =
  /\n\s+at |node_modules|\.ts:\d|file:\/\/|SELECT |INSERT |syntax error|invalid input syntax|violates|ZodError/

function judge({ status, body }: Answer, sent: BadRequest): void {
  const what = `${sent.method} ${sent.path.slice(0, 80)} ${JSON.stringify(sent.headers).slice(0, 300)} ${String(sent.body).slice(0, 300)}`
  check(status < 500, `an answer below 500: got ${status} ${body.slice(0, 200)} to ${what}`)
  check(
    !LEAK.test(body) || /^\/api\/docs/.test(sent.path),
    `an answer without our insides: ${body.slice(0, 200)} to ${what}`,
  )
  if (status < 400 || sent.method === 'HEAD') return
  // Node's own answer to an Expect header that it does not know, before the server sees anything.
  if (status === 417 && sent.headers.expect) return
  check(body.startsWith('{'), `an envelope: ${status} ${JSON.stringify(body.slice(0, 200))} to ${what}`)
  const { status_code, message } = JSON.parse(body)
  check(
    status_code === status && /\p{L}/u.test(message),
    `an envelope with words: ${body.slice(0, 200)} to ${what}`,
  )
}

/** @returns what came back before the server hung up */
async function sendBytes(origin: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'))
  socket.setTimeout(1000, () => socket.end())
  return text(socket).catch(() => '')
}

/** Logs in from an address at which no request has failed. */
const loginElsewhere = (origin: string) =>
  login(origin, 'demo01', '1234', { 'x-forwarded-for': '198.51.100.7' })

/**
 * Sends generated bad requests to a real process: no 5xx, no crash, no stack trace, no hang, and a sound database
 * afterwards.
 * @returns how many answers had each status
 */
export async function proveFuzz(
  folder: string,
  count: number,
  seed: number,
): Promise<Record<string, number>> {
  const server = await startApi({ DATA_DIR: folder, DEMO: '1', TRUST_PROXY: '1', LOG_LEVEL: 'error' })
  const statuses: Record<string, number> = {}
  try {
    const token = await loginElsewhere(server.origin)
    const requests = fc.sample(badRequest(token), { numRuns: count, seed })
    let next = 0
    const client = async () => {
      for (let sent = requests[next++]; sent; sent = requests[next++]) {
        const answer = await send(server.origin, sent)
        judge(answer, sent)
        check(server.isAlive(), `the process lives: ${server.log()}`)
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
      }
    }
    await Promise.all(Array.from({ length: CLIENTS }, client))
    for (const bytes of badBytes) {
      const answer = await sendBytes(server.origin, bytes)
      check(
        !/^HTTP\/1\.1 5/.test(answer) && !LEAK.test(answer),
        `bytes that are no HTTP get no 5xx: ${answer.slice(0, 200)}`,
      )
    }
    check((await fetch(`${server.origin}/healthz`)).status === 200, 'the server is ready afterwards')
    check((await loginElsewhere(server.origin)).length > 0, 'members can log in afterwards')
  } finally {
    await server.stop()
  }
  check(
    !/"level":(50|60)/.test(server.log()),
    `nothing was logged as an error: ${server.log().slice(0, 500)}`,
  )
  await checkSound({ folder })
  return statuses
}

await proof(
  import.meta.url,
  'Generated bad requests: never a 5xx, never a crash, never a stack trace in an answer.',
  { requests: 10_000, seed: Date.now() },
  async ({ requests, seed }) => {
    console.log(`seed ${seed}`)
    console.table(await inFolder((folder) => proveFuzz(folder, requests, seed)))
    return `${requests} bad requests (seed ${seed}): no 5xx, no crash, no stack trace`
  },
)
