import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import {
  type Build,
  buildSchema,
  type HostBuild,
  type RemoteBuild,
  SOURCE_MAPS,
} from '@anniversary/shared/contract/composition'
import { type Origin, originSchema } from '@anniversary/shared/contract/origin'
import { prerenderFaults } from '@anniversary/shared/contract/prerendered'
import { z } from 'zod'
import { issuesOf, type Problem, Rejected, rejected } from '../rejected.ts'
import { plainPath } from '../site/compress.ts'

/** A build read from a folder, whose files match the hashes in its `build.json`. */
export interface Candidate<B extends Build = Build> {
  readonly build: B
  /** `<semver>-<content hash>`: the same bytes always get the same version. */
  readonly version: string
  /** By path inside the build; without `build.json` itself. */
  readonly files: ReadonlyMap<string, Buffer>
  /** Source maps by the file that they belong to; no part of the version. */
  readonly maps: ReadonlyMap<string, Buffer>
  /** Absent: the build does not say where it came from. */
  readonly origin?: Origin
}

const MAP = new RegExp(`^${SOURCE_MAPS}/(.+\\.js)\\.map$`)

export const integrityOf = (bytes: Buffer): string =>
  `sha384-${createHash('sha384').update(bytes).digest('base64')}`

/** SHA-256 of a `build.json`, the same for any order of its names. */
export function hashOf(build: Build): string {
  const sorted = (value: unknown): unknown =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, item]) => [key, sorted(item)]),
        )
      : value
  return createHash('sha256')
    .update(JSON.stringify(sorted(build)))
    .digest('hex')
}

/** The version under which a build is published. */
export const versionOf = (build: Build): string => `${build.version}-${hashOf(build).slice(0, 12)}`

/**
 * Reads `build.json` from a build's output folder.
 * @throws Rejected when it is missing or invalid
 */
export async function readBuildJson(folder: string): Promise<Build> {
  const text = await readFile(join(folder, 'build.json'), 'utf8').catch(() => {
    throw rejected(
      'build',
      folder,
      'there is no build.json in this folder',
      'Build the package first, and name its output folder',
    )
  })
  try {
    return buildSchema.parse(JSON.parse(text))
  } catch (error) {
    const found = error instanceof z.ZodError ? issuesOf(error).join('; ') : String(error)
    throw rejected(
      'build',
      folder,
      `build.json is not valid: ${found}`,
      'Build with the build factory of the same release as this tool',
    )
  }
}

/**
 * Reads a build and checks every file against its hash.
 * @throws Rejected naming every file that is missing, changed, or used but not listed
 */
export async function readBuild(folder: string): Promise<Candidate> {
  const build = await readBuildJson(folder)
  const onDisk = new Set(await filesUnder(folder))
  const files = new Map<string, Buffer>()
  const problems: Problem[] = []
  const reject = (found: string): void => {
    problems.push({ rule: 'integrity', about: build.name, found, todo: 'Build again from a clean folder' })
  }
  for (const [path, expected] of Object.entries(build.files)) {
    if (!onDisk.has(path)) {
      reject(`${path} is listed in build.json and missing in the folder`)
      continue
    }
    const bytes = await readFile(join(folder, path))
    if (integrityOf(bytes) !== expected.integrity)
      reject(`${path} is not the file that was built (its hash differs from build.json)`)
    files.set(path, bytes)
  }
  if (build.kind === 'remote') problems.push(...prerenderProblems(build, files))
  for (const path of Object.keys(build.files))
    if (path !== plainPath(path))
      problems.push({
        rule: 'build',
        about: build.name,
        found: `${path} has the name of another file's compressed variant`,
        todo: 'Build without compressed variants: publish makes them',
      })
  for (const path of usedFiles(build))
    if (!build.files[path]) reject(`${path} is referred to by build.json and not listed in its files`)
  if (problems.length > 0) throw new Rejected(problems)
  const maps = new Map<string, Buffer>()
  for (const path of onDisk) {
    const [, file] = MAP.exec(path) ?? []
    if (file) maps.set(file, await readFile(join(folder, path)))
  }
  const origin = await readOrigin(folder)
  return { build, version: versionOf(build), files, maps, ...(origin && { origin }) }
}

/** It lies beside `build.json` and is no part of the build: otherwise each commit would make another version. */
async function readOrigin(folder: string): Promise<Origin | null> {
  const text = await readFile(join(folder, 'origin.json'), 'utf8').catch(() => null)
  return text === null ? null : originSchema.parse(JSON.parse(text))
}

/** Prerendered pages that would not hydrate. The build factory refuses them too, but a build may come from elsewhere. */
const prerenderProblems = (build: RemoteBuild, files: ReadonlyMap<string, Buffer>): Problem[] =>
  Object.entries(build.prerendered ?? {}).flatMap(([expose, file]) =>
    prerenderFaults(files.get(file)?.toString('utf8') ?? '').map((found) => ({
      rule: 'build',
      about: build.name,
      found: `the HTML of ${expose} would not hydrate: ${found}`,
      todo: 'Mend the page, or leave it out of `prerender`',
    })),
  )

/** Files that build.json refers to outside its list of files. */
function usedFiles(build: Build): Set<string> {
  const groups =
    build.kind === 'host'
      ? [build.entry, build.client, ...Object.values(build.routeAssets ?? {})]
      : Object.values(build.exposes)
  return new Set([
    ...(build.kind === 'remote'
      ? [build.entry, ...Object.values(build.prerendered ?? {})]
      : pageFiles(build)),
    ...groups.flatMap(({ js, css }) => [...js, ...css]),
    ...Object.values(build.publicFiles ?? {}),
  ])
}

const pageFiles = ({ page }: HostBuild): string[] => [
  ...[page?.icon, page?.touchIcon, page?.manifest, page?.card].filter((file) => file !== undefined),
  ...(page?.fonts ?? []),
  ...Object.values(page?.skeletons ?? {}),
]

async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
}
