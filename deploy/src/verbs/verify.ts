import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { buildSchema } from '@anniversary/shared/contract/composition'
import { hashOf, integrityOf, versionOf } from '../builds/read-build.ts'
import type { Problem } from '../rejected.ts'
import { versionsOf } from '../site/compose.ts'
import { openHistory, verifyHistory } from '../site/history.ts'
import { allPreviews } from '../site/preview.ts'
import { newestRecord, POINTER_PATH, type SiteRecord } from '../site/record.ts'
import { buildPath, pathOf, publishedBuilds, versionFolder } from '../site/version-folders.ts'
import { rootFiles, writeNewestPages } from '../site/write-pages.ts'
import { withLock } from '../target/lock.ts'
import { readJson, type Target } from '../target/target.ts'

export interface Verified {
  readonly problems: readonly Problem[]
  /** Number of files that were checked. */
  readonly files: number
}

/**
 * Checks the versions that the site or a preview uses, file by file, with their compressed variants; the site's pages and
 * pointer against the newest record; and that no record was changed, forged or taken away. A preview's own pages are not
 * checked: nothing says what they were made from.
 * @param atLeast number that the newest record must have: whoever published last knows it
 */
export async function verify(target: Target, atLeast = 0): Promise<Verified> {
  const record = await newestRecord(target)
  if (!record)
    return {
      problems: [
        { rule: 'site', about: target.url, found: 'nothing was published here', todo: 'Check --site' },
      ],
      files: 0,
    }
  const used = [...versionsOf(record), ...(await allPreviews(target)).flatMap((preview) => preview.used)]
  const folders = new Map(used.map((version) => [versionFolder(...version), version]))
  const versions = await Promise.all(
    [...folders].map(([folder, [name, version]]) =>
      verifyVersion(target, name, version, record.builds?.[folder]?.hash),
    ),
  )
  const pages = await verifyPages(target, record)
  const old: Problem = {
    rule: 'site',
    about: target.url,
    found: `the newest composition is ${record.number}, not ${atLeast}`,
    todo: 'Look who put the site back',
  }
  return {
    problems: [
      ...(await verifyHistory(target)),
      ...(record.number < atLeast ? [old] : []),
      ...[...versions, pages].flatMap(({ problems }) => problems),
    ],
    files: [...versions, pages].reduce((sum, { files }) => sum + files, 0),
  }
}

/**
 * Rewrites pages, pointer and public files from the newest record. What else is damaged needs another publish.
 * @throws Rejected when the newest record is not what its site's owners signed
 */
export async function repair(target: Target): Promise<void> {
  target.spendReserve?.()
  await withLock(target, async () => {
    const { builds } = await openHistory(target)
    await writeNewestPages(target, publishedBuilds(target, [], builds))
  })
}

async function verifyVersion(
  target: Target,
  name: string,
  version: string,
  hash: string | undefined,
): Promise<Verified> {
  const folder = versionFolder(name, version)
  const fault = (found: string, path = folder): Problem => ({
    rule: 'integrity',
    about: folder,
    found,
    todo: `Remove ${path} and publish that build again, or roll back to another version`,
  })
  const json = await readJson(target, buildPath(name, version)).catch(() => undefined)
  if (json === null) return { problems: [fault('the folder has no build.json')], files: 0 }
  const parsed = buildSchema.safeParse(json)
  if (!parsed.success) return { problems: [fault('build.json is not valid')], files: 1 }
  const problems =
    versionOf(parsed.data) === version && (hash ?? hashOf(parsed.data)) === hashOf(parsed.data)
      ? []
      : [fault('build.json is not the one that was published')]
  const present = new Set(await target.list(name))
  const expected = Object.entries(parsed.data.files)
  for (const [file, { integrity }] of expected) {
    const path = pathOf(parsed.data, version, file)
    const stored = await target.read(path)
    if (!stored) problems.push(fault(`${file} is missing`, path))
    else if (integrityOf(stored) !== integrity) problems.push(fault(`${file} differs from its hash`, path))
    else
      for (const found of await variantFaults(target, path, stored, present))
        problems.push(fault(found, path))
  }
  return { problems, files: expected.length }
}

async function variantFaults(
  target: Target,
  path: string,
  bytes: Buffer,
  present: ReadonlySet<string>,
): Promise<string[]> {
  const variants = [
    { path: `${path}.br`, expand: brotliDecompressSync },
    { path: `${path}.gz`, expand: gunzipSync },
  ].filter((variant) => present.has(variant.path))
  const faults = await Promise.all(
    variants.map(async (variant) => {
      try {
        const stored = await target.read(variant.path)
        return stored && !variant.expand(stored).equals(bytes) ? `${variant.path} holds other bytes` : null
      } catch {
        return `${variant.path} cannot be decompressed`
      }
    }),
  )
  return faults.filter((fault) => fault !== null)
}

async function verifyPages(target: Target, record: SiteRecord): Promise<Verified> {
  const fault = (about: string, found: string): Problem => ({
    rule: 'site',
    about,
    found,
    todo: 'Run `deploy verify --repair`',
  })
  const expected = await rootFiles(target, record).catch(() => null)
  if (!expected) return { problems: [], files: 0 }
  const present = new Set(await target.list(''))
  const problems: Problem[] = []
  for (const [path, bytes] of expected) {
    const stored = await target.read(path)
    const what = path === POINTER_PATH ? 'the pointer' : 'it'
    if (!stored) problems.push(fault(path, `${what} is missing`))
    else if (!stored.equals(bytes))
      problems.push(fault(path, `${what} does not show the newest state, ${record.number}`))
    for (const found of await variantFaults(target, path, bytes, present)) problems.push(fault(path, found))
  }
  return { problems, files: expected.size }
}
