import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { openTarget } from '../target/open-target.ts'
import { OverlayTarget } from '../target/overlay-target.ts'
import type { Target } from '../target/target.ts'

/** The site that a verb works on, and how to print the answer. */
export interface Context {
  /** In a dry run: the site with changes in memory. */
  readonly target: Target
  readonly json: boolean
  readonly dryRun: boolean
}

export class UsageError extends Error {
  override readonly name = 'UsageError'
}

function siteAddress(given: string | undefined): string {
  const address = given ?? process.env.DEPLOY_SITE
  if (address) return address
  if (existsSync('site/composition.json')) return 'site'
  throw new UsageError('Which site? Name it by --site ./site or --site s3://bucket, or in DEPLOY_SITE.')
}

/** @throws UsageError when no site is named */
export async function contextOf(command: Command): Promise<Context> {
  const { site, json, dryRun } = command.optsWithGlobals<{
    site?: string
    json?: boolean
    dryRun?: boolean
  }>()
  const real = await openTarget(siteAddress(site))
  return { target: dryRun ? new OverlayTarget(real) : real, json: Boolean(json), dryRun: Boolean(dryRun) }
}
