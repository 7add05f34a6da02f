import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import { HeadObjectCommand, S3Client } from '@aws-sdk/client-s3'
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
 * s3rver, which speaks the protocol, behind what S3 has and s3rver has not: conditional writes (`If-None-Match: *` and
 * `If-Match: <etag>` on a PUT, 412 where they do not hold), and files that nobody sees half written.
 */
export async function startS3({ conditional = true }: S3ServerOptions = {}): Promise<S3Server> {
  const inner = new S3rver({
    directory: await temporaryFolder(),
    silent: true,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  })
  await inner.configureBuckets()
  writeWhole(inner)
  const serve = inner.callback()
  const behind = await listening(createServer(serve))
  const ask = clientOf(behind)

  const turns = new Map<string, Promise<void>>()
  const front = await listening(
    createServer((request, response) => {
      const answered = new Promise<void>((resolve) => {
        response.once('close', resolve)
      })
      const key = keyOf(request)
      const turn = (turns.get(key) ?? Promise.resolve()).then(async () => {
        const condition = conditional ? conditionOf(request) : null
        const etag = condition === null ? null : await etagOf(ask, key)
        const holds = condition === null || (condition === '*' ? etag === null : condition === etag)
        if (holds) serve(request, response)
        else refuse(request, response)
        await answered
      })
      turns.set(key, turn)
    }),
  )

  return {
    client: () => clientOf(front),
    target: (prefix = '') => new S3Target(clientOf(front), BUCKET, prefix),
    close: async () => {
      for (const server of [front, behind]) {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
    },
  }
}

interface StoredObject {
  bucket: string
  key: string
  content: Buffer | AsyncIterable<Buffer>
  metadata: unknown
}
interface Store {
  getResourcePath(bucket: string, key: string, resource: string): string
  putMetadata(bucket: string, key: string, metadata: unknown, md5: string): Promise<void>
  putObject(object: StoredObject): Promise<{ size: number; md5: string }>
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const collected: Buffer[] = []
  for await (const chunk of chunks) collected.push(chunk)
  return Buffer.concat(collected)
}

/** s3rver answers a PUT when it has received the bytes, not when a reader finds them in the file. */
function writeWhole(server: S3rver): void {
  // Not in its types: where it keeps objects.
  const { store } = server as unknown as { store: Store }
  store.putObject = async ({ bucket, key, content, metadata }) => {
    const bytes = Buffer.isBuffer(content) ? content : await collect(content)
    const md5 = createHash('md5').update(bytes).digest('hex')
    const path = store.getResourcePath(bucket, key, 'object')
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
    await store.putMetadata(bucket, key, metadata, md5)
    return { size: bytes.length, md5 }
  }
}

const listening = async (server: Server): Promise<Server> =>
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server))
  })

const clientOf = (server: Server): S3Client =>
  new S3Client({
    // A TCP server's address is an object; only pipes have a string.
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forcePathStyle: true,
    region: 'us-east-1',
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
  })

const keyOf = ({ url = '' }: IncomingMessage): string =>
  decodeURIComponent(url.replace(/\?.*$/, '').slice(`/${BUCKET}/`.length))

const conditionOf = ({ method, headers }: IncomingMessage): string | null =>
  method === 'PUT' ? (headers['if-none-match'] ?? headers['if-match'] ?? null) : null

const etagOf = async (client: S3Client, Key: string): Promise<string | null> =>
  await client.send(new HeadObjectCommand({ Bucket: BUCKET, Key })).then(
    ({ ETag }) => ETag ?? '',
    () => null,
  )

function refuse(request: IncomingMessage, response: ServerResponse): void {
  request.resume()
  response.writeHead(412, { 'content-type': 'application/xml' })
  response.end(
    '<?xml version="1.0" encoding="UTF-8"?><Error><Code>PreconditionFailed</Code><Message>A condition did not hold</Message></Error>',
  )
}
