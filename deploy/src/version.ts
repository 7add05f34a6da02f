import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

/** Written in by the build of the release (`deploy-server/build.ts`). */
declare const BUILD: { readonly version: string; readonly commit: string } | undefined

const built = typeof BUILD === 'undefined' ? null : BUILD
const folder = join(import.meta.dirname, '..')
const manifest: { version: string } = built ?? JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

export const { version } = manifest

/** Asks git for the commit of the checkout, with `-dirty` when files differ from it; `unknown` for an installed package. */
export function readCommit(): string {
  if (built) return built.commit
  // There, git would name the commit of whoever installed the package.
  if (folder.includes(`${sep}node_modules${sep}`)) return 'unknown'
  try {
    const args = ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*']
    return execFileSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return 'unknown'
  }
}
