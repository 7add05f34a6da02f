import {
  type Build,
  buildSchema,
  type HostBuild,
  type RemoteBuild,
  SOURCE_MAPS,
} from '@anniversary/shared/contract/composition'
import { type Candidate, HOST_NAME, versionOfBuild } from '../builds/read-build.ts'
import { createRejection, issuesOf } from '../rejected.ts'
import { brotliPath, compressedVariant, PUBLISHED_PATTERN } from '../target/compress.ts'
import { type Files, jsonBytes, readJsonFile, settleWrites, type Target } from '../target/target.ts'

export const versionFolder = (name: string, version: string): string => `${name}/${version}`

/** Versions share hashed files, so that browsers keep what has not changed. */
const SHARED_FOLDER = 'immutable'

export const versionFolderOf = (path: string): string | undefined =>
  new RegExp(PUBLISHED_PATTERN).exec(`/${path}`)?.[0].slice(1, -1)

/** No server makes deploy's own folder public. */
export const MAPS_FOLDER = `.deploy/${SOURCE_MAPS}`

export const mapsFolder = (name: string, version: string): string =>
  `${MAPS_FOLDER}/${versionFolder(name, version)}`

/** Milliseconds. Longer than any publish takes until its record. */
const GRACE = 3_600_000

/** A publish without a record yet may be about to use the file. */
export const isYoung = async (target: Target, path: string): Promise<boolean> =>
  ((await target.age(path)) ?? GRACE) < GRACE

export const versionPathOf = ({ name, files }: Build, version: string, file: string): string =>
  `${versionFolder(name, files[file]?.immutable ? SHARED_FOLDER : version)}/${file}`

export const buildPath = (name: string, version: string): string =>
  `${versionFolder(name, version)}/build.json`

/** Writes `build.json` last: where it is present, the version is complete. */
export async function uploadVersions(
  target: Target,
  candidates: readonly Candidate[],
): Promise<void> {
  const uploads = candidates.map(async (candidate) => {
    const { build, version } = candidate
    const files = [...candidate.files].map(
      ([file, bytes]) => [versionPathOf(build, version, file), bytes] as const,
    )
    const present = await Promise.all(files.map((file) => has(target, ...file)))
    // The other writes still end, so that no file stays without its variant.
    const writes = files.map((file, n) => writeOnce(target, ...file, present[n] === true))
    await settleWrites(writes)
    const maps = mapsFolder(build.name, version)
    await Promise.all(
      [...candidate.maps].map(([file, bytes]) => target.create(`${maps}/${file}`, bytes)),
    )
    await target.create(buildPath(build.name, version), jsonBytes(build))
  })
  await Promise.all(uploads)
}

/** A deploy that died may not have written the variant. */
async function writeOnce(
  target: Target,
  path: string,
  bytes: Buffer,
  isPresent: boolean,
): Promise<void> {
  if (!isPresent && !(await target.create(path, bytes))) await has(target, path, bytes)
  if (target.isBucket || (await target.age(brotliPath(path))) !== null) return
  const variant = await compressedVariant(path, bytes)
  if (variant) await target.write(brotliPath(path), variant)
}

/** @throws Rejected when the path has other content */
async function has(target: Target, path: string, bytes: Buffer): Promise<boolean> {
  const stored = await target.read(path)
  if (stored && !stored.equals(bytes))
    throw createRejection(
      'integrity',
      path,
      'the site has other content under this name, which is written once',
      'If `deploy verify` names this file, remove it and publish again. Else its name holds no hash of its content',
    )
  return stored !== null
}

export type PublishedBuilds = ReturnType<typeof publishedBuilds>

/** @param kept files of versions that need not be read */
export function publishedBuilds(
  target: Target,
  candidates: readonly Candidate[] = [],
  kept: ReadonlyMap<string, Buffer> = new Map(),
) {
  const used = new Map(
    candidates.map(({ build, version }) => [buildPath(build.name, version), jsonBytes(build)]),
  )
  /**
   * The smoke test reads from an overlay, which holds files that are not
   * uploaded yet.
   */
  const filesIn = (from: Files): Files => ({
    url: from.url,
    async read(path) {
      const bytes = used.get(path) ?? kept.get(path) ?? (await from.read(path))
      if (bytes) used.set(path, bytes)
      return bytes
    },
  })
  const known = new Map<string, Promise<Build>>()
  /**
   * @throws Error for a version that was never published
   * @throws Rejected when its build.json was changed
   */
  const of = (name: string, version: string): Promise<Build> => {
    const path = buildPath(name, version)
    const build = known.get(path) ?? readPublished(filesIn(target), path, version)
    known.set(path, build)
    return build
  }
  // `openBuilds` accepts this name for hosts, and for nothing else.
  const host = (version: string) => of(HOST_NAME, version) as Promise<HostBuild>
  const remote = (name: string, version: string) => of(name, version) as Promise<RemoteBuild>
  return { of, host, remote, filesIn, used, kept }
}

async function readPublished(target: Files, path: string, version: string): Promise<Build> {
  const json = await readJsonFile(target, path)
  if (json === null)
    throw new Error(`${target.url}/${path} is missing: this version was never published`)
  const { data, error } = buildSchema.safeParse(json)
  if (!data)
    throw new Error(
      `${target.url}/${path} is not valid, or of another release of this tool (${issuesOf(error).join('; ')}): build and publish that package again`,
    )
  if (versionOfBuild(data) !== version)
    throw createRejection(
      'integrity',
      path,
      'it is not the one that was published',
      'Remove it and publish that build again',
    )
  return data
}
