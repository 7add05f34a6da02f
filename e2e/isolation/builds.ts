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
import { ROOT } from '../src/stack.ts'
import { build } from '../src/variant.ts'
import { SUBJECTS } from './remotes.ts'

const CACHE = join(ROOT, '.cache/isolation')
const REMOTES = SUBJECTS.map(({ remote }) => remote)

/** A build that differs from the published one: the release before it. */
export const previousBuild = (remote: string): string => join(CACHE, remote, 'dist')
/** A real build whose code misbehaves in the given way (broken/rspack.config.js). */
export const brokenBuild = (way: string): string => join(CACHE, 'broken', way)

let prepared: Promise<void> | undefined

/** Builds both kinds, once for a state of the sources. */
export function prepareBuilds(): Promise<void> {
  prepared ??= buildBoth()
  return prepared
}

async function buildBoth(): Promise<void> {
  const sources = ['build', 'shared/src', 'e2e/isolation/broken', ...REMOTES]
  const times = await Promise.all(sources.map((path) => changedAt(join(ROOT, path))))
  const stamp = String(Math.max(...times))
  const stampFile = join(CACHE, 'stamp')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  mkdirSync(CACHE, { recursive: true })
  for (const remote of REMOTES) copyAsPrevious(remote)
  const previous = async () => {
    for (const remote of REMOTES) await build(CACHE, remote)
  }
  await Promise.all([build(ROOT, 'e2e/isolation/broken'), previous()])
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
