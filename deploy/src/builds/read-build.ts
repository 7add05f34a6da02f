import { createHash } from 'node:crypto'
import {
  BUILD_LIMITS,
  type Build,
  buildSchema,
  type HostBuild,
  type RemoteBuild,
  SOURCE_MAPS,
} from '@anniversary/shared/contract/composition'
import { prerenderFaults } from '@anniversary/shared/contract/prerendered'
import { z } from 'zod'
import { createProblem, createRejection, issuesOf, type Problem, Rejected } from '../rejected.ts'
import { plainPath } from '../target/compress.ts'
import { FileTarget } from '../target/file-target.ts'
import { sha256 } from '../target/target.ts'

export const HOST_NAME = 'shell'

/** Files match the hashes in `build.json`. */
export interface Candidate<B extends Build = Build> {
  readonly build: B
  /** `<semver>-<content hash>`: the same bytes always get the same version. */
  readonly version: string
  readonly files: ReadonlyMap<string, Buffer>
  /** By path, `FILE.map`. No part of the version. */
  readonly maps: ReadonlyMap<string, Buffer>
}

export const integrityOf = (bytes: Buffer): string =>
  `sha384-${createHash('sha384').update(bytes).digest('base64')}`

export function versionOfBuild(build: Build): string {
  const sorted = JSON.stringify(build, withSortedKeys)
  return `${build.version}-${sha256(Buffer.from(sorted)).slice(0, 12)}`
}

/** Whether this release has the build's content, under whichever semver. */
export const isReleaseOf = (build: Build, release: string): boolean =>
  versionOfBuild({ ...build, version: release.replace(/-[^-]*$/, '') }) === release

function withSortedKeys(_key: string, value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null
  if (!isObject || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

export async function readBuildJson(folder: string): Promise<Build> {
  const reject = (found: string, todo: string) => createRejection('build', folder, found, todo)
  const bytes = await new FileTarget(folder).read('build.json')
  if (!bytes)
    throw reject(
      'there is no build.json in this folder',
      'Build the package first, and name its output folder',
    )
  if (bytes.length > BUILD_LIMITS.buildJson)
    throw reject(
      `build.json has ${bytes.length} bytes, the limit is ${BUILD_LIMITS.buildJson}`,
      'List fewer files',
    )
  try {
    return buildSchema.parse(JSON.parse(bytes.toString('utf8')))
  } catch (error) {
    const found = error instanceof z.ZodError ? issuesOf(error).join('; ') : String(error)
    throw reject(
      `build.json is not valid: ${found}`,
      'Rename what it names, or build with the build factory of the same release as this tool',
    )
  }
}

/**
 * @throws Rejected naming each file that is missing, changed or unlisted.
 * @param check runs before any other file is read
 */
export async function readBuild(
  folder: string,
  check?: (build: Build) => Promise<void>,
): Promise<Candidate> {
  const build = await readBuildJson(folder)
  await check?.(build)
  const stored = new FileTarget(folder)
  const files = new Map<string, Buffer>()
  const maps = new Map<string, Buffer>()
  for (const path of Object.keys(build.files)) {
    const bytes = await stored.read(path)
    if (bytes) files.set(path, bytes)
    const map = path.endsWith('.js') && (await stored.read(`${SOURCE_MAPS}/${path}.map`))
    if (map) maps.set(`${path}.map`, map)
  }
  const problems = [...problemsOf(build, files)]
  if (problems.length > 0) throw new Rejected(problems)
  return { build, version: versionOfBuild(build), files, maps }
}

export const isHostBuild = (candidate: Candidate): candidate is Candidate<HostBuild> =>
  candidate.build.kind === 'host'
export const isRemoteBuild = (candidate: Candidate): candidate is Candidate<RemoteBuild> =>
  candidate.build.kind === 'remote'

function* problemsOf(build: Build, files: ReadonlyMap<string, Buffer>): Generator<Problem> {
  const about = build.name
  const damaged = (found: string) =>
    createProblem('integrity', about, found, 'Build again from a clean folder')
  for (const [path, { integrity }] of Object.entries(build.files)) {
    const bytes = files.get(path)
    if (!bytes) yield damaged(`${path} is listed in build.json and missing in the folder`)
    else if (integrityOf(bytes) !== integrity)
      yield damaged(`${path} is not the file that was built (its hash differs from build.json)`)
    if (path !== plainPath(path))
      yield createProblem(
        'build',
        about,
        `${path} has the name of another file's compressed variant`,
        'Build without compressed variants: publish makes them',
      )
  }
  for (const path of usedFiles(build))
    if (!build.files[path])
      yield damaged(`${path} is referred to by build.json and not listed in its files`)
  if (build.kind === 'host') return
  // A holder of a token may have bypassed the build factory.
  const { prerendered = {} } = build
  for (const [expose, file] of Object.entries(prerendered))
    for (const found of prerenderFaults(String(files.get(file))))
      yield createProblem(
        'build',
        about,
        `the HTML of ${expose} would not hydrate: ${found}`,
        'Fix the page, or leave it out of `prerender`',
      )
}

function usedFiles(build: Build): Set<string> {
  const { publicFiles = {} } = build
  const files = Object.values(publicFiles)
  const groups = []
  if (build.kind === 'remote') {
    const { entry, exposes, prerendered = {} } = build
    files.push(entry, ...Object.values(prerendered))
    groups.push(...Object.values(exposes))
  } else {
    const { firstScript, entry, client, routeAssets = {}, page = {} } = build
    const { icon, touchIcon, card, skeletons = {} } = page
    files.push(...[firstScript, icon, touchIcon, card].filter((file) => file !== undefined))
    files.push(...Object.values(skeletons))
    groups.push(entry, client, ...Object.values(routeAssets))
  }
  return new Set([...files, ...groups.flatMap(({ js, css }) => [...js, ...css])])
}
