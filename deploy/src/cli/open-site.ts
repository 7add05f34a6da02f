import { existsSync } from 'node:fs'
import { UsageError } from '../rejected.ts'
import { asDryRun, directContext } from '../site/context.ts'
import { FileTarget } from '../target/file-target.ts'
import type { Target } from '../target/target.ts'
import { findLocalBuild } from './build-folders.ts'
import { callServer } from './call-server.ts'
import type { CommandContext, CommonOptions, DeployCommand, Runner } from './command.ts'

/** Not `*.localhost`, for which Node asks the network's DNS. */
const OWN_MACHINE = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** Returns undefined when the command works on the site itself. */
function serverAddressOf(command: DeployCommand): URL | undefined {
  const { site, to } = command.optsWithGlobals<CommonOptions>()
  if (site !== undefined) {
    if (to === undefined) return undefined
    throw new UsageError('Name the deploy server by --to, or the site by --site, not both.')
  }
  const address = to ?? (process.env.DEPLOY_TO || undefined)
  if (address === undefined) return undefined
  const url = URL.canParse(address) ? new URL(address) : null
  // The token must not cross a network in the clear.
  if (url?.protocol === 'https:') return url
  if (url?.protocol === 'http:' && OWN_MACHINE.test(url.hostname)) return url
  throw new UsageError(`${address || '--to'} is no deploy server: name it by https://…`)
}

export const localRunner =
  (args: readonly string[]): Runner =>
  async (command, work) => {
    const server = serverAddressOf(command)
    if (server) return await callServer(server, command, args)
    return await work(await siteOf(command))
  }

export async function siteOf(command: DeployCommand): Promise<CommandContext> {
  const { site } = command.optsWithGlobals<CommonOptions>()
  const target = await openTarget(addressOf(site))
  return withOptions(command, { ...directContext(target), findBuild: findLocalBuild })
}

function addressOf(site = process.env.DEPLOY_SITE): string {
  if (site) return site
  if (existsSync('site/composition.json')) return 'site'
  throw new UsageError(
    'Which site? There is none in ./site yet. Name it by --site ./site or --site s3://bucket, or in DEPLOY_SITE.',
  )
}

export function withOptions(command: DeployCommand, context: CommandContext): CommandContext {
  if (command.opts<CommonOptions>().dryRun) return asDryRun(context)
  return context
}

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
