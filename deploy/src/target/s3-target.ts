import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3'
import { contentOf } from './content-type.ts'
import type { Stored, Target } from './target.ts'

// The SDK's notice about Node 22 concerns this tool's maintainers, not whoever deploys.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'

/**
 * A site in a bucket of S3, or of a server with the same protocol. The AWS SDK finds credentials, region and endpoint
 * in environment, profile or role; `AWS_ENDPOINT_URL_S3` names another server than Amazon's.
 */
export class S3Target implements Target {
  readonly url: string
  private readonly client: S3Client
  private readonly bucket: string
  private readonly prefix: string
  private checked = false

  /** @param prefix folder in the bucket, '' or with a closing slash */
  constructor(client: S3Client, bucket: string, prefix: string) {
    this.client = client
    this.bucket = bucket
    this.prefix = prefix
    this.url = `s3://${bucket}/${prefix}`.replace(/\/$/, '')
  }

  /** @param address `s3://bucket` or `s3://bucket/folder` */
  static open(address: string, config: S3ClientConfig = {}): S3Target {
    const { hostname: bucket, pathname } = new URL(address)
    if (!bucket) throw new Error(`${address} names no bucket: s3://bucket or s3://bucket/folder`)
    const folder = decodeURIComponent(pathname).replace(/^\/+|\/+$/g, '')
    const ownServer = process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL
    const client = new S3Client({
      region: process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION ?? 'us-east-1',
      // Other servers rarely have a host name for each bucket.
      ...(ownServer ? { forcePathStyle: true } : {}),
      ...config,
    })
    return new S3Target(client, bucket, folder && `${folder}/`)
  }

  async read(path: string): Promise<Stored | null> {
    try {
      const answer = await this.client.send(
        new GetObjectCommand({ Bucket: this.bucket, Key: this.prefix + path }),
      )
      const bytes = Buffer.from((await answer.Body?.transformToByteArray()) ?? [])
      return { bytes, etag: answer.ETag ?? '' }
    } catch (error) {
      if (statusOf(error) === 404) return null
      throw error
    }
  }

  async write(path: string, bytes: Buffer): Promise<void> {
    await this.put(path, bytes)
  }

  async create(path: string, bytes: Buffer): Promise<boolean> {
    const created = await this.putNew(path, bytes)
    if (created && !this.checked) {
      // Some servers ignore the condition: of two deploys at once, one would be lost.
      if (await this.putNew(path, bytes))
        throw new Error(
          `${this.url}: this server ignores conditional writes (If-None-Match), so it cannot hold a site`,
        )
      this.checked = true
    }
    return created
  }

  async list(folder: string): Promise<string[]> {
    const keys: string[] = []
    let token: string | undefined
    do {
      const page = await this.client.send(
        new ListObjectsV2Command({
          Bucket: this.bucket,
          Prefix: this.prefix + (folder && `${folder}/`),
          ...(token ? { ContinuationToken: token } : {}),
        }),
      )
      keys.push(...(page.Contents ?? []).flatMap(({ Key }) => (Key ? [Key.slice(this.prefix.length)] : [])))
      token = page.NextContinuationToken
    } while (token)
    return keys.sort()
  }

  async remove(path: string): Promise<void> {
    await this.client.send(new DeleteObjectCommand({ Bucket: this.bucket, Key: this.prefix + path }))
  }

  async removeFolder(folder: string): Promise<void> {
    await this.remove(`${folder}/build.json`)
    const keys = (await this.list(folder)).map((path) => ({ Key: this.prefix + path }))
    for (let start = 0; start < keys.length; start += 1000)
      await this.client.send(
        new DeleteObjectsCommand({
          Bucket: this.bucket,
          Delete: { Objects: keys.slice(start, start + 1000), Quiet: true },
        }),
      )
  }

  private async putNew(path: string, bytes: Buffer): Promise<boolean> {
    for (let attempt = 0; ; attempt++) {
      try {
        await this.put(path, bytes, { IfNoneMatch: '*' })
        return true
      } catch (error) {
        const status = statusOf(error)
        if (status === 412) return false
        // 409: another write of the same key was under way, and S3 asks to try again.
        if (status !== 409 || attempt >= 20) throw error
      }
    }
  }

  private async put(path: string, bytes: Buffer, condition: { IfNoneMatch?: '*' } = {}): Promise<void> {
    const { type, encoding, cacheControl } = contentOf(path)
    await this.client.send(
      new PutObjectCommand({
        Bucket: this.bucket,
        Key: this.prefix + path,
        Body: bytes,
        ContentType: type,
        CacheControl: cacheControl,
        ...(encoding ? { ContentEncoding: encoding } : {}),
        ...condition,
      }),
    )
  }
}

function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('$metadata' in error)) return undefined
  const { $metadata } = error
  return typeof $metadata === 'object' && $metadata !== null && 'httpStatusCode' in $metadata
    ? Number($metadata.httpStatusCode)
    : undefined
}
