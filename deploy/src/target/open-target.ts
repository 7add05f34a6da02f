import { fileURLToPath } from 'node:url'
import { FileTarget } from './file-target.ts'
import type { Target } from './target.ts'

/**
 * Opens a site by its address: a folder (`./site`, `file:///srv/site`) or a bucket (`s3://bucket/prefix`).
 * Throws on an address of another kind.
 */
export async function openTarget(address: string): Promise<Target> {
  if (address.startsWith('s3://')) {
    // Loaded for buckets only: the SDK is large.
    const { S3Target } = await import('./s3-target.ts')
    return S3Target.open(address)
  }
  if (address.startsWith('file://')) return new FileTarget(fileURLToPath(address))
  if (address.startsWith('file:')) return new FileTarget(address.slice('file:'.length))
  if (/^[a-z][a-z0-9+]+:\/\//i.test(address))
    throw new Error(`${address} is no site: name a folder (./site) or a bucket (s3://bucket/prefix)`)
  return new FileTarget(address)
}
