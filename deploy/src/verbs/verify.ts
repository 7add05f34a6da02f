import { isDeepStrictEqual } from 'node:util'
import { brotliDecompressSync } from 'node:zlib'
import { errorMessage } from '@anniversary/shared/error-message'
import { HOST_NAME, integrityOf } from '../builds/read-build.ts'
import { siteProblems } from '../checks/compatibility.ts'
import { type Problem, problem } from '../rejected.ts'
import {
  compositionOf,
  releaseOf,
  releasesOf,
  shellOf,
  shownIn,
  versionsOf,
  WHOLE_FOLDER,
  wholeFile,
} from '../site/compose.ts'
import { authorize, authorizeVerb, authorOf, type Context, SITE_FILES } from '../site/context.ts'
import { allPreviews, type Preview, previewFolder } from '../site/preview.ts'
import {
  allRecords,
  currentSite,
  recordNumbers,
  recordPath,
  type SiteRecord,
} from '../site/record.ts'
import {
  buildPath,
  folderOf,
  isYoung,
  type PublishedBuilds,
  pathOf,
  publishedBuilds,
  versionFolder,
} from '../site/version-folders.ts'
import { rootFiles, writeNewestPages } from '../site/write-pages.ts'
import { brotliPath, plainPath } from '../target/compress.ts'
import { jsonBytes, readJson, type Target } from '../target/target.ts'

/** Pages of previews are not checked. */
export async function verifySite(target: Target) {
  const record = await currentSite(target)
  const previews = await allPreviews(target)
  const builds = publishedBuilds(target)
  const damage: Problem[] = []
  let files = 0
  const check = async (path: string, integrity: string, todo: string) => {
    files += 1
    for (const found of await faultsOf(target, path, integrity))
      damage.push(problem('integrity', path, found, todo))
  }

  // A missing file of a version is named below.
  const pages = await rootFiles(target, record, builds).catch(() => new Map<string, Buffer>())
  const stale = `Run \`deploy verify --repair\`: it does not show the newest state, ${record.number}`
  for (const [path, bytes] of pages) await check(path, integrityOf(bytes), stale)
  const records = await allRecords(target)
  for (const one of await damagedRecords(target, records)) damage.push(recordProblem(one))
  // A deploy that was overtaken wrote none.
  for (const { path, bytes } of records.slice(0, -1).map((one) => wholeFile(compositionOf(one))))
    if ((await target.age(path)) !== null) await check(path, integrityOf(bytes), 'Remove it')
  const used = [...versionsOf(record), ...previews.flatMap((preview) => preview.used)]
  for (const [about, [name, version]] of new Map(used.map((one) => [versionFolder(...one), one]))) {
    const todo = `Remove it and publish ${about} again, or roll back`
    const build = await builds.of(name, version).catch(errorMessage)
    if (typeof build === 'string') damage.push(problem('integrity', about, build, todo))
    else
      for (const [file, { integrity }] of Object.entries(build.files))
        await check(pathOf(build, version, file), integrity, todo)
  }

  const problems = [
    ...damage,
    ...(await releaseProblems(record, builds)),
    ...(await siteProblems(record, builds).catch(() => [])),
  ]
  // With unreadable builds, known files would look unknown.
  if (damage.length === 0)
    problems.push(...(await unknownFiles(target, records, builds, pages, previews)))
  return { problems, files }
}

interface DamagedRecord {
  readonly number: number
  /** True after a power cut. */
  readonly isTorn: boolean
}

async function damagedRecords(
  target: Target,
  records: readonly SiteRecord[],
): Promise<DamagedRecord[]> {
  const whole = new Set(records.map(({ number }) => number))
  const damaged = (await recordNumbers(target)).filter((number) => !whole.has(number))
  const reading = damaged.map(async (number) => {
    const isTorn = (await readJson(target, recordPath(number))) === undefined
    return { number, isTorn }
  })
  return await Promise.all(reading)
}

function recordProblem({ number, isTorn }: DamagedRecord): Problem {
  const path = recordPath(number)
  if (!isTorn)
    return problem('integrity', path, 'it is no record', 'Restore it from a backup, or remove it')
  const todo = 'Run `deploy verify --repair`, which replaces it; then make its change again'
  return problem('integrity', path, 'it is empty or torn, as after a power cut', todo)
}

/** Replaces torn records, and rewrites pages and pointer. Other damage needs a publish. */
export async function repairSite(context: Context): Promise<void> {
  const { target } = context
  authorizeVerb(context, 'repair')
  await authorize(context, [SITE_FILES])
  const records = await allRecords(target)
  for (const { number, isTorn } of await damagedRecords(target, records)) {
    const before = records.findLast((record) => record.number < number)
    // Its number must not be taken twice.
    if (isTorn && before)
      await target.write(recordPath(number), jsonBytes(replacing(before, number)))
  }
  await writeNewestPages(target, null)

  function replacing(record: SiteRecord, number: number): SiteRecord {
    const summary = `replaces a torn record by composition ${record.number}`
    const change = { verb: 'repair', packages: [], summary, by: authorOf(context) }
    return { ...record, number, shown: shownIn(record), change }
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
    const own = build.kind === 'host' ? shellOf({ build, version }) : releaseOf({ build, version })
    if (isDeepStrictEqual(release, own)) continue
    const found = `the composition names other files or routes for ${version} than its build.json`
    problems.push(
      problem('integrity', name, found, `Publish it again, or \`deploy rollback ${name}\``),
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
): Promise<Problem[]> {
  const versions = [...records.flatMap(versionsOf), ...previews.flatMap(({ used }) => used)]
  const reading = versions.map(async ([name, version]) => {
    const build = await builds.of(name, version).catch(() => null)
    if (!build) return []
    const files = Object.keys(build.files).map((file) => pathOf(build, version, file))
    return [{ path: buildPath(name, version), files }]
  })
  const published = (await Promise.all(reading)).flat()
  const served = new Set([
    ...pages.keys(),
    ...records.map((record) => wholeFile(compositionOf(record)).path),
    ...published.flatMap(({ files }) => files),
  ])
  const known = new Set([
    ...records.map(({ number }) => recordPath(number)),
    ...published.map(({ path }) => path),
  ])
  // Open pages may use the composition of a torn record.
  const replaced = records.filter(({ change }) => change.verb === 'repair')
  const prefixes = [
    ...['.deploy', ...previews.map(previewFolder)].map((folder) => `${folder}/`),
    ...replaced.map(({ number }) => `${WHOLE_FOLDER}/${number}-`),
  ]
  const found = (await target.list(''))
    .filter((path) => !served.has(plainPath(path)) && !known.has(path))
    .filter((path) => !prefixes.some((prefix) => path.startsWith(prefix)))
  const problems: Problem[] = []
  for (const path of found) {
    // A publish without a record yet may need it.
    if (folderOf(path) && (await isYoung(target, path))) continue
    const todo = 'Remove it, and find out who wrote it'
    problems.push(problem('site', path, 'no publish has written this file', todo))
  }
  return problems
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
