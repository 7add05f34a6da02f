import { isDeepStrictEqual } from 'node:util'
import type { Build, ComposedRemote } from '@anniversary/shared/contract/composition'
import { requireRecord, type SiteRecord } from '../site/record.ts'
import { HOST_NAME, publishedBuilds } from '../site/version-folders.ts'
import type { Target } from '../target/target.ts'

export interface Difference {
  readonly about: string
  readonly what: string
  readonly from: string | null
  readonly to: string | null
  /** Files that differ between two versions of a package. */
  readonly files?: FileDifferences
}

export interface FileDifferences {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Uncompressed bytes of all scripts, before and after. */
  readonly scriptBytes: readonly [number, number]
}

/**
 * Compares two compositions.
 * @throws Rejected when one does not exist
 */
export async function diff(target: Target, from: number, to: number): Promise<Difference[]> {
  const [a, b] = await Promise.all([requireRecord(target, from), requireRecord(target, to)])
  return await differencesOf(target, a, b)
}

export async function differencesOf(target: Target, a: SiteRecord, b: SiteRecord): Promise<Difference[]> {
  const found: Difference[] = []
  if (a.shell.version !== b.shell.version)
    found.push({
      about: HOST_NAME,
      what: 'version',
      from: a.shell.version,
      to: b.shell.version,
      ...(await filesBetween(target, HOST_NAME, a.shell.version, b.shell.version)),
    })
  for (const name of new Set([...Object.keys(a.remotes), ...Object.keys(b.remotes)]))
    found.push(...(await remoteDifferences(target, name, a.remotes[name], b.remotes[name])))
  for (const key of new Set([...Object.keys(a.config), ...Object.keys(b.config)])) {
    const [before, after] = [settingOf(a, key), settingOf(b, key)]
    if (!isDeepStrictEqual(before, after))
      found.push({ about: 'configuration', what: key, from: before, to: after })
  }
  return found
}

const settingOf = ({ config }: SiteRecord, key: string): string | null =>
  Object.entries(config).find(([name]) => name === key)?.[1] ?? null

async function remoteDifferences(
  target: Target,
  name: string,
  a: ComposedRemote | undefined,
  b: ComposedRemote | undefined,
): Promise<Difference[]> {
  const aspects: [string, (remote: ComposedRemote) => string | undefined][] = [
    ['version', ({ current }) => current.version],
    ['status', ({ status }) => status],
    ['routes', ({ current }) => Object.keys(current.routes ?? {}).join(', ')],
    ['previous', ({ previous }) => previous?.version],
    ['canary', ({ canary }) => canary && `${canary.release.version} for ${canary.percent} %`],
  ]
  const found: Difference[] = []
  for (const [what, read] of aspects) {
    const from = (a && read(a)) ?? null
    const to = (b && read(b)) ?? null
    if (from === to) continue
    const files = what === 'version' && from && to ? await filesBetween(target, name, from, to) : {}
    found.push({ about: name, what, from, to, ...files })
  }
  return found
}

/** Empty when a version was pruned. */
async function filesBetween(
  target: Target,
  name: string,
  from: string,
  to: string,
): Promise<{ files?: FileDifferences }> {
  try {
    const builds = publishedBuilds(target)
    const [a, b] = await Promise.all([builds.of(name, from), builds.of(name, to)])
    return {
      files: {
        added: Object.keys(b.files).filter((file) => a.files[file]?.integrity !== b.files[file]?.integrity),
        removed: Object.keys(a.files).filter((file) => !b.files[file]),
        scriptBytes: [scriptBytes(a), scriptBytes(b)],
      },
    }
  } catch {
    return {}
  }
}

const scriptBytes = ({ files }: Build): number =>
  Object.entries(files).reduce((sum, [path, { bytes }]) => (path.endsWith('.js') ? sum + bytes : sum), 0)
