import { spawn } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { FileTarget } from '@anniversary/deploy/target/file-target'
import { withLock } from '@anniversary/deploy/target/lock'
import { ROOT } from '../src/stack.ts'

const CACHE = join(ROOT, '.cache/isolation')
const REMOTES = ['mf-auth', 'mf-missions', 'mf-history', 'mf-megalive']

/** A build of another content than the published one, as the release before it. */
export const previousBuild = (remote: string): string => join(CACHE, remote, 'dist')
/** A real build whose code misbehaves in the given way (broken/rspack.config.js). */
export const brokenBuild = (way: string): string => join(CACHE, 'broken', way)

let prepared: Promise<void> | undefined

/** Builds both kinds, unless they are there for these sources. */
export function prepareBuilds(): Promise<void> {
  prepared ??= withLock(new FileTarget(CACHE), async () => {
    const stamp = String(newest(['build', 'shared/src', 'e2e/isolation/broken', ...REMOTES]))
    const stampFile = join(CACHE, 'stamp')
    if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
    mkdirSync(CACHE, { recursive: true })
    for (const remote of REMOTES) copyAsPrevious(remote)
    await Promise.all([
      rspack(join(ROOT, 'e2e/isolation/broken')),
      REMOTES.reduce((before, remote) => before.then(() => rspack(join(CACHE, remote))), Promise.resolve()),
    ])
    writeFileSync(stampFile, stamp)
  })
  return prepared
}

function newest(paths: readonly string[]): number {
  const times = paths.flatMap((path) => {
    const full = join(ROOT, path)
    if (!statSync(full).isDirectory()) return [statSync(full).mtimeMs]
    return readdirSync(full, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile() && !/[\\/](dist|node_modules)([\\/]|$)/.test(file.parentPath))
      .map((file) => statSync(join(file.parentPath, file.name)).mtimeMs)
  })
  return Math.max(...times)
}

function copyAsPrevious(remote: string): void {
  const copy = join(CACHE, remote)
  rmSync(copy, { recursive: true, force: true })
  cpSync(join(ROOT, remote), copy, {
    recursive: true,
    filter: (source) => !/[\\/](dist|node_modules)$/.test(source),
  })
  for (const file of readdirSync(join(copy, 'src')).filter((name) => name.endsWith('Page.tsx')))
    appendFileSync(join(copy, 'src', file), "\nexport const release = 'previous'\n")
}

function rspack(folder: string): Promise<void> {
  const cli = join(ROOT, 'node_modules/@rspack/cli/bin/rspack.js')
  const child = spawn(process.execPath, [cli, 'build'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  return new Promise((done, failed) => {
    child.on('error', failed)
    child.on('exit', (code) =>
      code === 0 ? done() : failed(new Error(`${folder} did not build:\n${output}`)),
    )
  })
}
