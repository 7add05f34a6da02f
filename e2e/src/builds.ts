import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { changedAt } from '@anniversary/tools/start/workspace-builds'
import { ROOT } from './stack.ts'
import { history, login } from './subjects.ts'
import { build } from './variant.ts'

const CACHE = join(ROOT, '.cache/isolation')
const REMOTES = [login.remote, history.remote]

/** A build that differs from the published one: the release before it. */
export const previousBuild = (remote: string): string => join(CACHE, remote, 'dist')
/** A real build whose code misbehaves in the given way (isolation/broken/rspack.config.js). */
export const brokenBuild = (way: string): string => join(CACHE, 'broken', way)

/** Builds both kinds, once for a state of the sources. */
export async function prepareBuilds(): Promise<void> {
  const sources = ['build', 'shared/src', 'e2e/isolation/broken', ...REMOTES]
  const times = await Promise.all(sources.map((path) => changedAt(join(ROOT, path))))
  const stamp = String(Math.max(...times))
  const stampFile = join(CACHE, 'stamp')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  mkdirSync(CACHE, { recursive: true })
  await build(ROOT, 'e2e/isolation/broken')
  for (const remote of REMOTES) {
    copyAsPrevious(remote)
    await build(CACHE, remote)
  }
  writeFileSync(stampFile, stamp)
}

function copyAsPrevious(remote: string): void {
  const copy = join(CACHE, remote)
  rmSync(copy, { recursive: true, force: true })
  cpSync(join(ROOT, remote), copy, {
    recursive: true,
    filter: (source) => !/[\\/](dist|node_modules|\.cache)$/.test(source),
  })
  for (const file of readdirSync(join(copy, 'src')).filter((name) => name.endsWith('Page.tsx')))
    appendFileSync(join(copy, 'src', file), "\nexport const release = 'previous'\n")
}
