import { type ExecFileException, execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '@anniversary/build/dev/port'
import { ROOT, workspaceFolders } from '../packages.ts'

const run = promisify(execFile)

export const buildablePackages = workspaceFolders
  .filter((workspace) => existsSync(join(ROOT, workspace, 'rspack.config.js')))
  .map((name) => ({ name, folder: join(ROOT, name), dist: join(ROOT, name, 'dist') }))

/** Paths that every build reads besides its own package. */
const COMMON = ['shared', 'build', 'package-lock.json']

/**
 * Builds packages whose files are newer than their build, so that a start
 * without changes runs no bundler.
 */
export async function buildWhatChanged(
  progress: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const common = await Promise.all(COMMON.map((path) => changedAt(join(ROOT, path))))
  const stale: typeof buildablePackages = []
  for (const pkg of buildablePackages) {
    const builtAt = (await stat(join(pkg.dist, 'build.json')).catch(() => null))?.mtimeMs ?? 0
    if (Math.max(...common, await changedAt(pkg.folder)) > builtAt) stale.push(pkg)
  }
  if (stale.length === 0) return
  progress(`building ${stale.map(({ name }) => name).join(', ')} …`)
  const began = new Date()
  const workspaces = stale.flatMap(({ name }) => ['-w', name])
  await run('npm', ['run', 'build', '--silent', ...workspaces], { cwd: ROOT, signal }).catch(
    // execFile adds the output to the error.
    ({ message, stdout, stderr }: ExecFileException) => {
      throw new StartError(`A build failed:\n${`${stdout}${stderr}`.trim() || message}`)
    },
  )
  // Files that were edited during the build count as newer.
  for (const { dist } of stale) await utimes(join(dist, 'build.json'), began, began)
  progress(`built (${((Date.now() - began.getTime()) / 1000).toFixed(1)} s)`)
}

/** `npm` is the folder of mf-megalive's npm package, which its build writes. */
const IGNORED = /^(node_modules|dist|npm|test|\..+)$|\.test\.tsx?$/

async function changedAt(path: string, isRoot = true): Promise<number> {
  const found = await stat(path).catch(() => null)
  if (!found) return 0
  if (!found.isDirectory()) return found.mtimeMs
  const names = (await readdir(path)).filter((name) => !IGNORED.test(name))
  const below = await Promise.all(names.map((name) => changedAt(join(path, name), false)))
  // A removal changes the time of its folder. The root's own time does not
  // count, since each build changes it.
  return Math.max(isRoot ? 0 : found.mtimeMs, ...below)
}
