import { homedir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { FileTarget } from '../target/file-target.ts'
import { OverlayTarget } from '../target/overlay-target.ts'
import { jsonBytes, readJson, sha256, type Target } from '../target/target.ts'

const seenSchema = z.object({
  /** SHA-256 of the record that brought the site its first owners. */
  root: z.string(),
  /** Number and SHA-256 of the newest record that this machine has checked or written. */
  number: z.number(),
  hash: z.string(),
})
export type Seen = z.infer<typeof seenSchema>

/**
 * What this machine knows of a site with owners: like SSH's `known_hosts`, trusted on first use. `DEPLOY_ROOT` goes
 * before it, so that a fresh machine need not trust what it finds.
 */
export interface KnownSite {
  readonly root?: string
  readonly seen?: Seen
}

function states(): FileTarget {
  const folder = process.env.XDG_STATE_HOME ?? join(homedir(), '.local/state')
  return new FileTarget(join(folder, 'anniversary-deploy'))
}

/** One file for each site, so that two deploys do not overwrite each other's. */
const fileOf = (target: Target): string => `${sha256(Buffer.from(target.url)).slice(0, 16)}.json`

export const knownSitePath = (target: Target): string => join(states().root, fileOf(target))

export async function knownSite(target: Target): Promise<KnownSite> {
  const json = await readJson(states(), fileOf(target))
  const seen = json === null ? undefined : seenSchema.parse(json)
  const root = process.env.DEPLOY_ROOT ?? seen?.root
  return { ...(root && { root }), ...(seen && seen.root === root && { seen }) }
}

/** Not for a site in memory. A machine that cannot write the file trusts what it finds each time. */
export async function remember(target: Target, seen: Seen): Promise<void> {
  if (target instanceof OverlayTarget) return
  await states()
    .write(fileOf(target), jsonBytes(seen))
    .catch(() => undefined)
}
