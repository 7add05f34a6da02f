import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

const folder = join(import.meta.dirname, '..')
const manifest: { version: string } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** The package's version, with the commit where it runs from a checkout. An installed package has none of its own. */
export const version = [manifest.version, ...commit()].join(' ')

function commit(): string[] {
  // There, git would name the commit of whoever installed the package.
  if (folder.includes(`${sep}node_modules${sep}`)) return []
  try {
    const args = ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*']
    const stdio: ('ignore' | 'pipe')[] = ['ignore', 'pipe', 'ignore']
    return [execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio }).trim()]
  } catch {
    return []
  }
}
