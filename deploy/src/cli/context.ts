import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { UsageError } from '../rejected.ts'
import { FileTarget } from '../target/file-target.ts'
import { OverlayTarget } from '../target/overlay-target.ts'
import type { Target } from '../target/target.ts'

/** The site that a verb works on, and how to print the answer. */
export interface Context {
  /** In a dry run: the site with changes in memory. */
  readonly target: Target
  readonly json: boolean
  readonly dryRun: boolean
}

function siteAddress(given: string | undefined): string {
  const address = given ?? process.env.DEPLOY_SITE
  if (address) return address
  if (existsSync('site/composition.json')) return 'site'
  throw new UsageError('Which site? Name it by --site ./site or --site s3://bucket, or in DEPLOY_SITE.')
}

/** Opens a folder (`./site`, `file:///srv/site`) or a bucket (`s3://bucket/prefix`). */
async function openTarget(address: string): Promise<Target> {
  if (address.startsWith('s3://')) {
    // Loaded for buckets only: the SDK is large.
    const { S3Target } = await import('../target/s3-target.ts')
    return S3Target.open(address)
  }
  if (address.startsWith('file://')) return new FileTarget(fileURLToPath(address))
  if (address.startsWith('file:')) return new FileTarget(address.slice('file:'.length))
  if (/^[a-z][a-z0-9+]+:\/\//i.test(address))
    throw new UsageError(`${address} is no site: name a folder (./site) or a bucket (s3://bucket/prefix)`)
  return new FileTarget(address)
}

/** @throws UsageError when no site is named, or by an address of another kind */
export async function contextOf(command: Command): Promise<Context> {
  const { site, json, dryRun } = command.optsWithGlobals<{
    site?: string
    json?: boolean
    dryRun?: boolean
  }>()
  const real = await openTarget(siteAddress(site))
  return { target: dryRun ? new OverlayTarget(real) : real, json: Boolean(json), dryRun: Boolean(dryRun) }
}
