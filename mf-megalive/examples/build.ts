import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const folder = join(import.meta.dirname, '..')
const cache = join(folder, '.cache')
const lock = join(cache, 'examples.lock')
const stamp = join(cache, 'examples.stamp')
const rspack = join(folder, '../node_modules/@rspack/cli/bin/rspack.js')
const BUILT = ['dist/build.json', 'npm/dist/index.js', 'examples/dist/vue3.js']
const SOURCES = [
  'src',
  'public',
  'npm',
  'examples',
  'package.json',
  'rspack.config.js',
  'embed.rspack.config.js',
]
const SHARED = ['../shared/src', '../build', '../package-lock.json']
const STALE_MS = 180_000

function filesIn(path: string): string[] {
  const full = join(folder, path)
  if (!statSync(full).isDirectory()) return [full]
  const names = readdirSync(full, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => !/(^|\/)(dist|node_modules)(\/|$)/.test(name))
    .map((name) => join(full, name))
    .filter((file) => statSync(file).isFile())
}

function inputs(): string {
  const hash = createHash('sha256')
  for (const file of [...SOURCES, ...SHARED].flatMap(filesIn).sort())
    hash.update(file).update(readFileSync(file))
  return hash.digest('hex')
}

/** One build at a time: two test workers start their examples together. */
async function withLock(work: () => void): Promise<void> {
  mkdirSync(cache, { recursive: true })
  for (;;) {
    try {
      mkdirSync(lock)
      break
    } catch {
      if (Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > STALE_MS)
        rmdirSync(lock)
      await sleep(200)
    }
  }
  try {
    work()
  } finally {
    rmdirSync(lock)
  }
}

/**
 * Builds what the examples serve, unless nothing has changed: the remote with its script, the npm package, the pages'
 * own bundles.
 */
export const buildExamples = (): Promise<void> =>
  withLock(() => {
    const wanted = inputs()
    const there = BUILT.every((file) => existsSync(join(folder, file)))
    if (there && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
    const node = (...args: string[]) =>
      execFileSync(process.execPath, args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] })
    node(rspack, 'build')
    node('npm/build.js')
    node(rspack, 'build', '-c', 'examples/rspack.config.js')
    writeFileSync(stamp, wanted)
  })
