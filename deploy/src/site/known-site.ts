import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { OverlayTarget } from '../target/overlay-target.ts'
import { jsonBytes, sha256, type Target } from '../target/target.ts'

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

/** One file for each site, so that two deploys do not overwrite each other's. */
export function knownSitePath(target: Target): string {
  const folder = process.env.XDG_STATE_HOME ?? join(homedir(), '.local/state')
  return join(folder, 'anniversary-deploy', `${sha256(Buffer.from(target.url)).slice(0, 16)}.json`)
}

export async function knownSite(target: Target): Promise<KnownSite> {
  const text = await readFile(knownSitePath(target), 'utf8').catch(() => null)
  const seen = text === null ? undefined : seenSchema.parse(JSON.parse(text))
  const root = process.env.DEPLOY_ROOT ?? seen?.root
  return { ...(root && { root }), ...(seen && seen.root === root && { seen }) }
}

/** Not for a site in memory. A machine that cannot write the file trusts what it finds each time. */
export async function remember(target: Target, seen: Seen): Promise<void> {
  if (target instanceof OverlayTarget) return
  const path = knownSitePath(target)
  const temporary = `${path}.${process.pid}.tmp`
  await mkdir(join(path, '..'), { recursive: true })
    .then(() => writeFile(temporary, jsonBytes(seen)))
    .then(() => rename(temporary, path))
    .catch(() => undefined)
}
