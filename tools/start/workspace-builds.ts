import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { withLock } from '@anniversary/deploy/lock'
import { FileTarget } from '@anniversary/deploy/target/file-target'
import { jsonBytes, readJson } from '@anniversary/deploy/target/target'
import { z } from 'zod'

/** A package of this repository that is built and published. */
export interface Package {
  readonly name: string
  readonly folder: string
  readonly dist: string
}

/** The workspaces that have a build. */
export async function buildablePackages(root: string): Promise<Package[]> {
  const { workspaces } = z
    .object({ workspaces: z.array(z.string()) })
    .parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')))
  return workspaces
    .filter((workspace) => existsSync(join(root, workspace, 'rspack.config.js')))
    .map((name) => ({ name, folder: join(root, name), dist: join(root, name, 'dist') }))
}

export interface BuildOptions {
  readonly root: string
  /** Keeps what each build was made of. */
  readonly cacheDir: string
  readonly packages: readonly Package[]
  progress(line: string): void
  /** Stops running builds. */
  readonly signal: AbortSignal
}

const STAMPS = 'builds.json'
const AT_ONCE = 2

/**
 * Builds the packages whose sources changed since their last build, two at a time.
 * @throws BuildFailed with the build's own output
 */
export async function buildWhatChanged(options: BuildOptions): Promise<void> {
  const { root, packages, signal, progress } = options
  const cache = new FileTarget(options.cacheDir)
  // Two starts at once, on different ports, would write into the same output folders.
  await withLock(cache, async () => {
    const stamps = z.record(z.string(), z.string()).parse((await readJson(cache, STAMPS)) ?? {})
    const common = await hashOf(root, ['shared', 'rspack.base.js', 'package-lock.json', 'tsconfig.base.json'])
    const queue: { pkg: Package; inputs: string }[] = []
    for (const pkg of packages) {
      const inputs = `${common}-${await hashOf(root, [relative(root, pkg.folder)])}`
      if (stamps[pkg.name] !== inputs || !existsSync(join(pkg.dist, 'build.json')))
        queue.push({ pkg, inputs })
    }
    const worker = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const { pkg, inputs } = next
        const began = Date.now()
        await build(root, pkg, signal)
        progress(`built ${pkg.name} (${((Date.now() - began) / 1000).toFixed(1)} s)`)
        stamps[pkg.name] = inputs
        await cache.write(STAMPS, jsonBytes(stamps))
      }
    }
    if (queue.length > 0) progress(`building ${queue.map(({ pkg }) => pkg.name).join(', ')} …`)
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
  })
}

export class BuildFailed extends Error {
  override readonly name = 'BuildFailed'
}

async function build(root: string, { name }: Package, signal: AbortSignal): Promise<void> {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const child = spawn(npm, ['run', 'build', '-w', name, '--silent'], {
    cwd: root,
    signal,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk))
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (status !== 0)
    throw new BuildFailed(`The build of ${name} failed:\n${Buffer.concat(output).toString('utf8').trim()}`)
  // Rspack writes its files before it ends, but a file system may show them a moment later.
  if (!existsSync(join(root, name, 'dist/build.json'))) await sleep(50)
}

const IGNORED = /(^|\/)(node_modules|dist|test|\.[^/]+)(\/|$)|\.test\.tsx?$/

/** Hash of the sources under the given paths; tests do not count. */
async function hashOf(root: string, paths: readonly string[]): Promise<string> {
  const files: string[] = []
  const collect = async (path: string): Promise<void> => {
    if (IGNORED.test(path)) return
    const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => null)
    if (!entries) files.push(path)
    else await Promise.all(entries.map(({ name }) => collect(`${path}/${name}`)))
  }
  await Promise.all(paths.map(collect))
  const hash = createHash('sha256')
  for (const file of files.sort()) {
    const bytes = await readFile(join(root, file)).catch(() => Buffer.alloc(0))
    hash.update(`${file}\0${bytes.length}\0`).update(bytes)
  }
  return hash.digest('hex').slice(0, 16)
}
