import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { S3 } from '@aws-sdk/client-s3'
import { listenForRequests } from '../src/serve/server.ts'
import { RETRIES, S3Target } from '../src/target/s3-target.ts'
import { asOwnContext } from './fixture-builds.ts'

export const BUCKET = 'event-site'

export type S3Server = Awaited<ReturnType<typeof startS3>>

type StoredObject = Readonly<{ bytes: Buffer; headers: Record<string, string> }>

/** Small, so that tests need a second page; S3's own is 1000. */
const PAGE_SIZE = 20

/**
 * By hand, because s3rver has no conditional writes and a hundred dependencies;
 * nor has its maintained fork, which needs Node 24, or fauxqs.
 * @param options.conditional false: ignores the conditions of writes, as
 * servers before 2024 do
 */
export async function startS3({ conditional = true } = {}) {
  const objects = new Map<string, StoredObject>()
  let slowDown = 0
  let aheadMs = 0
  let calls = 0
  let lost: string | undefined
  let conflict: string | undefined
  const server = await listenForRequests('127.0.0.1', 0)
  server.open(async (request, response) => {
    // From here on nothing waits, so each call is atomic.
    const body = await buffer(request)
    calls += 1
    response.setHeader('date', new Date(Date.now() + aheadMs).toUTCString())
    if (Math.random() < slowDown) return fail(response, 503, 'SlowDown')
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    const key = decodeURIComponent(pathname.slice(`/${BUCKET}/`.length))
    const stored = objects.get(key)
    if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 '))
      return fail(response, 403, 'AccessDenied')
    if (!`${pathname}/`.startsWith(`/${BUCKET}/`)) return fail(response, 404, 'NoSuchBucket')
    if (searchParams.has('list-type')) return list(objects, searchParams, response)
    switch (request.method) {
      case 'PUT': {
        if (conflict === key) {
          conflict = undefined
          return fail(response, 409, 'ConditionalRequestConflict')
        }
        if (conditional && stored && request.headers['if-none-match'] === '*')
          return fail(response, 412, 'PreconditionFailed')
        const object = { bytes: body, headers: headersOf(request) }
        objects.set(key, object)
        if (lost && key.endsWith(lost)) {
          lost = undefined
          conflict = key
          return request.socket.destroy()
        }
        return response.writeHead(200, object.headers).end()
      }
      case 'DELETE':
        objects.delete(key)
        return response.writeHead(204).end()
      default:
        if (!stored) return fail(response, 404, 'NoSuchKey')
        return response.writeHead(200, stored.headers).end(stored.bytes)
    }
  })
  const client = (endpoint = `http://127.0.0.1:${server.port}`) =>
    new S3({
      endpoint,
      forcePathStyle: true,
      region: 'us-east-1',
      ...RETRIES,
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    })
  return {
    client,
    target: (prefix = '') => asOwnContext(new S3Target(client(), BUCKET, prefix)),
    /** Share of the calls. */
    refuse(share: number): void {
      slowDown = share
    },
    /** Milliseconds between its clock and this machine's. */
    setClockAhead(ms: number): void {
      aheadMs = ms
    },
    countCalls(): number {
      return calls
    },
    /**
     * Stores the next object whose key ends so, but drops the connection; the
     * next try gets a 409.
     */
    loseAnswer(ending: string): void {
      lost = ending
    },
    close: server.close,
  }
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const kept = ['content-type', 'content-encoding', 'cache-control'].flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  return Object.fromEntries([...kept, ['last-modified', new Date().toUTCString()]])
}

function list(
  objects: ReadonlyMap<string, StoredObject>,
  query: URLSearchParams,
  response: ServerResponse,
): void {
  const after = query.get('continuation-token') ?? ''
  const keys = [...objects.keys()]
    .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
    .sort()
  const page = keys.slice(0, PAGE_SIZE)
  const more = keys.length > page.length
  response.end(
    `<ListBucketResult><IsTruncated>${more}</IsTruncated>${more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''}${page
      .map((key) => `<Contents><Key>${key}</Key></Contents>`)
      .join('')}</ListBucketResult>`,
  )
}

function fail(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`)
}
