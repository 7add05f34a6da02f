import { type ExecFileException, execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '@anniversary/build/dev/port'
import { ROOT, workspaces } from '../packages.ts'

const run = promisify(execFile)

export const buildablePackages = workspaces
  .filter((workspace) => existsSync(join(ROOT, workspace, 'rspack.config.js')))
  .map((name) => ({ name, folder: join(ROOT, name), dist: join(ROOT, name, 'dist') }))

/** What every build reads besides its own package. */
const COMMON = ['shared', 'build', 'package-lock.json']

/** Compares times instead of asking the bundler's cache, so that a start without changes starts no bundler. */
export async function buildWhatChanged(progress: (line: string) => void, signal: AbortSignal): Promise<void> {
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
    // execFile adds the output to its error.
    ({ message, stdout, stderr }: ExecFileException) => {
      throw new StartError(`A build failed:\n${`${stdout}${stderr}`.trim() || message}`)
    },
  )
  // What was edited while it ran is newer than the build.
  for (const { dist } of stale) await utimes(join(dist, 'build.json'), began, began)
  progress(`built (${((Date.now() - began.getTime()) / 1000).toFixed(1)} s)`)
}

/** `npm` is mf-megalive's: the embed for npm, which its build makes too. */
const IGNORED = /^(node_modules|dist|npm|test|\..+)$|\.test\.tsx?$/

/** When a file, or one below a folder, was last written, added or removed (ms since 1970); tests do not count. */
export async function changedAt(path: string, isRoot = true): Promise<number> {
  const found = await stat(path).catch(() => null)
  if (!found) return 0
  if (!found.isDirectory()) return found.mtimeMs
  const names = (await readdir(path)).filter((name) => !IGNORED.test(name))
  const below = await Promise.all(names.map((name) => changedAt(join(path, name), false)))
  // A removal changes the time of its folder. The root's own does not count: each build changes it.
  return Math.max(isRoot ? 0 : found.mtimeMs, ...below)
}
