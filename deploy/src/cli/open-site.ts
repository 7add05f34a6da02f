import { existsSync } from 'node:fs'
import { UsageError } from '../rejected.ts'
import { asDryRun, directContext } from '../site/context.ts'
import { FileTarget } from '../target/file-target.ts'
import type { Target } from '../target/target.ts'
import { findLocalBuild } from './build-folders.ts'
import type { CommandContext, DeployCommand } from './command.ts'

export interface CommonOptions {
  readonly site?: string
  readonly to?: string
  readonly dryRun?: boolean
  readonly json?: boolean
}

export async function siteOf(command: DeployCommand): Promise<CommandContext> {
  const { site = process.env.DEPLOY_SITE } = command.optsWithGlobals<CommonOptions>()
  const address = site || (existsSync('site/composition.json') ? 'site' : undefined)
  if (!address)
    throw new UsageError(
      'Which site? There is none in ./site yet. Name it by --site ./site or --site s3://bucket, or in DEPLOY_SITE.',
    )
  return withOptions(command, {
    ...directContext(await openTarget(address)),
    findBuild: findLocalBuild,
  })
}

export const withOptions = (command: DeployCommand, context: CommandContext): CommandContext =>
  command.opts<CommonOptions>().dryRun ? asDryRun(context) : context

async function openTarget(address: string): Promise<Target> {
  if (address.startsWith('s3://')) {
    // Loaded for buckets only: the SDK is large.
    const { S3Target } = await import('../target/s3-target.ts')
    return S3Target.open(address)
  }
  if (/^[a-z][a-z0-9+]+:/i.test(address))
    throw new UsageError(
      `${address} is no site: name a folder (./site) or a bucket (s3://bucket/prefix)`,
    )
  return new FileTarget(address)
}
