import { isDeepStrictEqual } from 'node:util'
import { brotliDecompressSync } from 'node:zlib'
import type { Build } from '@anniversary/shared/contract/composition'
import { errorMessage } from '@anniversary/shared/error-message'
import { HOST_NAME, integrityOf } from '../builds/read-build.ts'
import { siteProblems } from '../checks/compatibility.ts'
import { createProblem, type Problem } from '../rejected.ts'
import {
  composedReleaseOf,
  composedShellOf,
  compositionFile,
  compositionOf,
  releasesOf,
  shownComposition,
  versionsOf,
  WHOLE_FOLDER,
} from '../site/compose.ts'
import {
  authorizeParts,
  authorizeVerb,
  authorOfChange,
  type Context,
  SITE_FILES,
} from '../site/context.ts'
import { readPublishedFile } from '../site/first-view.ts'
import { allPreviews, type Preview, previewFolder } from '../site/preview.ts'
import {
  currentSiteRecord,
  pathOfRecord,
  readAllRecords,
  recordNumbers,
  requireSiteRecord,
  type SiteRecord,
} from '../site/record.ts'
import {
  buildPath,
  isYoung,
  type PublishedBuilds,
  publishedBuilds,
  versionFolder,
  versionPathOf,
} from '../site/version-folders.ts'
import { publicRootFiles, writeNewestPages } from '../site/write-pages.ts'
import { brotliPath, plainPath } from '../target/compress.ts'
import { jsonBytes, readJsonFile, type Target } from '../target/target.ts'

/** Pages of previews are not checked. */
export async function verifySite(target: Target) {
  const record = await currentSiteRecord(target)
  const previews = await allPreviews(target)
  const builds = publishedBuilds(target)
  const damage: Problem[] = []
  let files = 0
  const check = async (path: string, integrity: string, todo: string) => {
    files += 1
    for (const found of await faultsOf(target, path, integrity))
      damage.push(createProblem('integrity', path, found, todo))
  }

  // A missing file of a version is named below.
  const pages = await publicRootFiles(target, record, builds).catch(() => new Map<string, Buffer>())
  const stale = `Run \`deploy verify --repair\`: it does not show the newest state, ${record.number}`
  for (const [path, bytes] of pages) await check(path, integrityOf(bytes), stale)
  const { records, damaged } = await readHistory(target)
  damage.push(...damaged.map(recordProblem))
  // A deploy that was overtaken wrote none.
  for (const { path, bytes } of records
    .slice(0, -1)
    .map((one) => compositionFile(compositionOf(one))))
    if ((await target.age(path)) !== null) await check(path, integrityOf(bytes), 'Remove it')
  const used = [...versionsOf(record), ...previews.flatMap((preview) => preview.used)]
  for (const [about, [name, version]] of new Map(used.map((one) => [versionFolder(...one), one]))) {
    const todo = `Remove it and publish ${about} again, or roll back`
    const build = await builds.of(name, version).catch(errorMessage)
    if (typeof build === 'string') damage.push(createProblem('integrity', about, build, todo))
    else
      for (const [file, { integrity }] of Object.entries(build.files))
        await check(versionPathOf(build, version, file), integrity, todo)
  }

  const problems = [
    ...damage,
    ...(await releaseProblems(record, builds)),
    ...(await siteProblems(record, builds).catch(() => [])),
  ]
  // With unreadable builds, known files would look unknown.
  if (damage.length > 0) return { problems, files, unnamed: [] }
  const unknown = await unknownFiles(target, records, builds, pages, previews)
  return { ...unknown, problems: [...problems, ...unknown.problems], files }
}

interface DamagedRecord {
  readonly number: number
  /** True after a power cut. */
  readonly isTorn: boolean
}

async function readHistory(target: Target) {
  // A publish may add records after this: they are not damaged.
  const numbers = await recordNumbers(target)
  const records = await readAllRecords(target)
  const whole = new Set(records.map(({ number }) => number))
  const damaged = numbers.filter((number) => !whole.has(number))
  const reading = damaged.map(async (number): Promise<DamagedRecord> => {
    const isTorn = (await readJsonFile(target, pathOfRecord(number))) === undefined
    return { number, isTorn }
  })
  return { records, damaged: await Promise.all(reading) }
}

function recordProblem({ number, isTorn }: DamagedRecord): Problem {
  const path = pathOfRecord(number)
  if (!isTorn)
    return createProblem(
      'integrity',
      path,
      'it is no record',
      'Restore it from a backup, or remove it',
    )
  const todo = 'Run `deploy verify --repair`, which replaces it; then make its change again'
  return createProblem('integrity', path, 'it is empty or torn, as after a power cut', todo)
}

/**
 * Replaces torn records, and rewrites pages and pointer. Other damage needs a
 * publish. Who may make the newest change may finish it.
 */
export async function repairSite(context: Context): Promise<void> {
  const { target } = context
  const { records, damaged } = await readHistory(target)
  const torn = damaged.filter(({ isTorn }) => isTorn)
  const { verb, packages } = requireSiteRecord(records.at(-1) ?? null).change
  authorizeVerb(context, verb)
  await authorizeParts(context, torn.length > 0 ? [SITE_FILES] : packages)
  for (const { number } of torn) {
    // The first one has none before it.
    const nearest = records.findLast((record) => record.number < number) ?? records[0]
    // Its number must not be taken twice.
    if (nearest) await target.write(pathOfRecord(number), jsonBytes(replacing(nearest, number)))
  }
  await writeNewestPages(target, null)

  function replacing(record: SiteRecord, number: number): SiteRecord {
    const summary = `replaces a torn record by composition ${record.number}`
    const change = { verb: 'repair', packages: [], summary, by: authorOfChange(context) }
    return { ...record, number, shown: shownComposition(record), change }
  }
}

/** A release whose code differs from its build was forged. */
async function releaseProblems(
  { shell, remotes }: SiteRecord,
  builds: PublishedBuilds,
): Promise<Problem[]> {
  const composed = Object.entries(remotes).flatMap(([name, remote]) =>
    releasesOf(remote).map((release) => ({ name, release })),
  )
  const problems: Problem[] = []
  for (const { name, release } of [{ name: HOST_NAME, release: shell }, ...composed]) {
    const { version } = release
    const build = await builds.of(name, version).catch(() => null)
    if (!build) continue
    const own =
      build.kind === 'host'
        ? composedShellOf({ build, version })
        : composedReleaseOf({ build, version })
    if (isDeepStrictEqual(release, own)) continue
    const found = `the composition names other files or routes for ${version} than its build.json`
    problems.push(
      createProblem('integrity', name, found, `Publish it again, or \`deploy rollback ${name}\``),
    )
  }
  return problems
}

async function unknownFiles(
  target: Target,
  records: readonly SiteRecord[],
  builds: PublishedBuilds,
  pages: ReadonlyMap<string, Buffer>,
  previews: readonly Preview[],
): Promise<{ problems: Problem[]; unnamed: string[] }> {
  const paths = await target.list('')
  const versions = [...records.flatMap(versionsOf), ...previews.flatMap(({ used }) => used)]
  const named = new Set(versions.map((one) => buildPath(...one)))
  const built = paths.map(async (path) => {
    const [name = '', version = ''] = path.split('/')
    if (path !== buildPath(name, version)) return []
    const build = await builds.of(name, version).catch(() => null)
    return build?.name === name ? [{ path, version, build }] : []
  })
  const published: { path: string; files: string[]; folder: string }[] = []
  // One at a time: versions of ended previews can be larger than the memory.
  for (const { path, version, build } of (await Promise.all(built)).flat()) {
    // A preview that has ended, or a publish that died, leaves a whole version.
    if (!named.has(path) && !(await isWhole(target, build, version))) continue
    const files = Object.keys(build.files).map((file) => versionPathOf(build, version, file))
    published.push({ path, files, folder: versionFolder(build.name, version) })
  }
  const served = new Set([
    ...pages.keys(),
    ...records.map((record) => compositionFile(compositionOf(record)).path),
    ...published.flatMap(({ files }) => files),
  ])
  const known = new Set([
    ...records.map(({ number }) => pathOfRecord(number)),
    ...published.map(({ path }) => path),
  ])
  // Open pages may use the composition of a torn record.
  const replaced = records.filter(({ change }) => change.verb === 'repair')
  const prefixes = [
    ...['.deploy', ...previews.map(previewFolder)].map((folder) => `${folder}/`),
    ...replaced.map(({ number }) => `${WHOLE_FOLDER}/${number}-`),
  ]
  const found = paths
    .filter((path) => !served.has(plainPath(path)) && !known.has(path))
    .filter((path) => !prefixes.some((prefix) => path.startsWith(prefix)))
  const problems: Problem[] = []
  for (const path of found) {
    // It may be of a publish that goes on. The next run names it.
    if (await isYoung(target, path)) continue
    const todo = 'Remove it, and find out who wrote it'
    problems.push(createProblem('site', path, 'no publish has written this file', todo))
  }
  const unnamed = published.filter(({ path }) => !named.has(path)).map(({ folder }) => folder)
  return { problems, unnamed }
}

async function isWhole(target: Target, build: Build, version: string): Promise<boolean> {
  const reading = Object.keys(build.files).map((file) =>
    readPublishedFile(target, build, version, file),
  )
  return (await Promise.allSettled(reading)).every(({ status }) => status === 'fulfilled')
}

async function faultsOf(target: Target, path: string, integrity: string): Promise<string[]> {
  const bytes = await target.read(path)
  if (!bytes) return ['it is missing']
  if (integrityOf(bytes) !== integrity) return ['it differs from its hash']
  const variant = await target.read(brotliPath(path))
  if (!variant) return []
  try {
    if (brotliDecompressSync(variant, { maxOutputLength: bytes.length || 1 }).equals(bytes))
      return []
  } catch {
    // No brotli, or more bytes.
  }
  return [`${brotliPath(path)} holds other bytes`]
}
