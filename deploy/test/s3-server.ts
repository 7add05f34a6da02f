import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { S3Client } from '@aws-sdk/client-s3'
import S3rver from 's3rver'
import { S3Target } from '../src/target/s3-target.ts'
import { temporaryFolder } from './fixture-builds.ts'

export const BUCKET = 'event-site'

export interface S3Server {
  client(): S3Client
  target(prefix?: string): S3Target
  close(): Promise<void>
}

export interface S3ServerOptions {
  /** False: as servers from before 2024, which ignore the conditions of a write. */
  conditional?: boolean
}

/**
 * s3rver, which speaks the protocol, behind the conditional writes that S3 has had since 2024 and s3rver does not know:
 * `If-None-Match: *` and `If-Match: <etag>` on a PUT, 412 where they do not hold, one write of a key at a time.
 */
export const startS3 = async ({ conditional = true }: S3ServerOptions = {}): Promise<S3Server> => {
  const inner = new S3rver({
    directory: await temporaryFolder(),
    silent: true,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  })
  await inner.configureBuckets()
  const serve = inner.callback()
  const server = createServer((request, response) => {
    const condition = conditional && request.method === 'PUT' ? conditionOf(request) : null
    if (!condition) return serve(request, response)
    return void inTurn(request.url ?? '', async () => {
      const etag = await etagOf(port, request.url ?? '')
      if (condition === '*' ? etag !== null : etag !== condition) return refuse(request, response)
      await new Promise((resolve) => {
        response.once('close', resolve)
        serve(request, response)
      })
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve())
  })
  // A TCP server's address is an object; only pipes have a string.
  const { port } = server.address() as AddressInfo
  const client = () =>
    new S3Client({
      endpoint: `http://127.0.0.1:${port}`,
      forcePathStyle: true,
      region: 'us-east-1',
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    })
  return {
    client,
    target: (prefix = '') => new S3Target(client(), BUCKET, prefix),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

const conditionOf = ({ headers }: IncomingMessage): string | null =>
  headers['if-none-match'] ?? headers['if-match'] ?? null

const turns = new Map<string, Promise<void>>()
const inTurn = (key: string, work: () => Promise<void>): Promise<void> => {
  const turn = (turns.get(key) ?? Promise.resolve()).then(work, work)
  turns.set(key, turn)
  return turn
}

const etagOf = async (port: number, url: string): Promise<string | null> => {
  const [path] = url.split('?')
  const client = new S3Client({
    endpoint: `http://127.0.0.1:${port}`,
    forcePathStyle: true,
    region: 'us-east-1',
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
  })
  const key = decodeURIComponent((path ?? '').slice(`/${BUCKET}/`.length))
  const stored = await new S3Target(client, BUCKET, '').read(key)
  client.destroy()
  return stored?.etag ?? null
}

const refuse = (request: IncomingMessage, response: ServerResponse): void => {
  request.resume()
  response.writeHead(412, { 'content-type': 'application/xml' })
  response.end(
    '<?xml version="1.0" encoding="UTF-8"?><Error><Code>PreconditionFailed</Code><Message>A condition did not hold</Message></Error>',
  )
}
