import { paginateListObjectsV2, S3, type S3ServiceException } from '@aws-sdk/client-s3'
import { CACHE, contentOf } from './compress.ts'
import type { Target } from './target.ts'

// Users of this tool cannot act on the SDK's notice about Node 22.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'

/** For SlowDown. The adaptive mode makes a `disable` five times as slow. */
export const RETRIES = { maxAttempts: 12, retryMode: 'standard' } as const

interface Options {
  readonly abortSignal: AbortSignal
}

/** Credentials, region and endpoint come from environment, profile or role. */
export class S3Target implements Target {
  readonly url: string
  readonly isBucket = true
  private readonly client: S3
  private readonly bucket: string
  private readonly prefix: string
  private readonly limit: number
  private checked = false

  constructor(client: S3, bucket: string, prefix: string, limit = 60_000) {
    this.client = client
    this.bucket = bucket
    this.prefix = prefix
    this.limit = limit
    this.url = `s3://${bucket}/${prefix}`.replace(/\/$/, '')
  }

  static open(address: string): S3Target {
    const { hostname: bucket, pathname } = new URL(address)
    if (!bucket) throw new Error(`${address} names no bucket: s3://bucket or s3://bucket/folder`)
    const folder = decodeURIComponent(pathname).replace(/^\/+|\/+$/g, '')
    const ownServer = process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL
    const client = new S3({
      region: process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION ?? 'us-east-1',
      ...RETRIES,
      // Other servers rarely have host names for buckets.
      forcePathStyle: Boolean(ownServer),
    })
    return new S3Target(client, bucket, folder && `${folder}/`)
  }

  async read(path: string): Promise<Buffer | null> {
    const get = async (options: Options) => {
      const { Body } = await this.client.getObject(this.object(path), options)
      return Buffer.from((await Body?.transformToByteArray()) ?? [])
    }
    return await this.call('GetObject', path, get).catch(nullIf('NoSuchKey'))
  }

  async write(path: string, bytes: Buffer): Promise<void> {
    await this.put(path, bytes)
  }

  async create(path: string, bytes: Buffer): Promise<boolean> {
    if (await this.putNew(path, bytes)) {
      // Not a record's, so that a switch takes fewer calls.
      if (contentOf(path).CacheControl === CACHE.immutable) await this.checkServer(path, bytes)
      return true
    }
    // After a lost answer the client repeats the write, so the file may be its
    // own.
    const stored = await this.read(path)
    return stored?.equals(bytes) === true
  }

  /** A server that ignores the condition would lose one of two deploys at once. */
  private async checkServer(path: string, bytes: Buffer): Promise<void> {
    if (this.checked) return
    if (await this.putNew(path, bytes))
      throw new Error(
        `${this.url}: this server ignores conditional writes (If-None-Match), so it cannot hold a site`,
      )
    this.checked = true
  }

  async list(folder: string): Promise<string[]> {
    const wanted = { Bucket: this.bucket, Prefix: this.prefix + (folder && `${folder}/`) }
    return await this.call('ListObjectsV2', folder, async (options) => {
      const keys: string[] = []
      const pages = paginateListObjectsV2({ client: this.client }, wanted, options)
      for await (const { Contents = [] } of pages)
        for (const { Key } of Contents) if (Key) keys.push(Key.slice(this.prefix.length))
      return keys.sort()
    })
  }

  async age(path: string): Promise<number | null> {
    const head = (options: Options) => this.client.headObject(this.object(path), options)
    const found = await this.call('HeadObject', path, head).catch(nullIf('NotFound'))
    if (!found) return null
    const now = this.now()
    const { LastModified = now } = found
    return now.getTime() - LastModified.getTime()
  }

  now(): Date {
    return new Date(Date.now() + this.client.config.systemClockOffset)
  }

  async remove(path: string): Promise<void> {
    await this.call('DeleteObject', path, (options) =>
      this.client.deleteObject(this.object(path), options),
    )
  }

  private async putNew(path: string, bytes: Buffer, attempts = 20): Promise<boolean> {
    try {
      await this.put(path, bytes, { IfNoneMatch: '*' })
      return true
    } catch (error) {
      const status = causeOf(error).$metadata?.httpStatusCode
      // 409: another write is under way, and S3 asks for another try.
      if (status === 409 && attempts > 1) return await this.putNew(path, bytes, attempts - 1)
      if (status === 412) return false
      throw error
    }
  }

  private async put(
    path: string,
    bytes: Buffer,
    condition: { IfNoneMatch?: '*' } = {},
  ): Promise<void> {
    const object = { ...this.object(path), ...contentOf(path), Body: bytes, ...condition }
    await this.call('PutObject', path, (options) => this.client.putObject(object, options))
  }

  private object(path: string): { Bucket: string; Key: string } {
    return { Bucket: this.bucket, Key: this.prefix + path }
  }

  /** @throws Error naming call, key and reason; its cause is the SDK's */
  private async call<T>(
    name: string,
    path: string,
    send: (options: Options) => Promise<T>,
  ): Promise<T> {
    const abortSignal = AbortSignal.timeout(this.limit)
    try {
      return await send({ abortSignal })
    } catch (cause) {
      const reason = abortSignal.aborted ? `no answer within ${this.limit / 1000} s` : String(cause)
      throw new Error(`${name} ${this.url}/${path}: ${reason}`, { cause })
    }
  }
}

function causeOf(error: unknown): Partial<S3ServiceException> {
  if (error instanceof Error) return error.cause ?? {}
  return {}
}

const nullIf = (name: string) => (error: unknown) => {
  if (causeOf(error).name === name) return null
  throw error
}
