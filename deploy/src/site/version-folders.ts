import {
  type Build,
  buildSchema,
  type HostBuild,
  type RemoteBuild,
} from '@anniversary/shared/contract/composition'
import type { Candidate } from '../builds/read-build.ts'
import { jsonBytes, readJson, type Target } from '../target/target.ts'
import { releasesOf } from './compose.ts'
import { variantsOf } from './compress.ts'
import type { SiteState } from './record.ts'

/** The shell's package name. */
export const HOST_NAME = 'shell'

/** Folder in the site that holds one version of one package. Written once, never changed. */
export const versionFolder = (name: string, version: string): string => `${name}/${version}`

/** Every version that some page of the site may run. */
export const versionsOf = ({ shell, remotes }: SiteState): [name: string, version: string][] => [
  [HOST_NAME, shell.version],
  ...Object.entries(remotes).flatMap(([name, remote]) =>
    releasesOf(remote).map(({ version }): [string, string] => [name, version]),
  ),
]

/**
 * Uploads what the site does not have yet. A version's `build.json` is written last: where it is present, the version
 * is complete.
 */
export async function uploadVersions(target: Target, candidates: readonly Candidate[]): Promise<void> {
  await Promise.all(candidates.map((candidate) => upload(target, candidate)))
}

async function upload(target: Target, { build, version, files }: Candidate): Promise<void> {
  const folder = versionFolder(build.name, version)
  if (await target.read(`${folder}/build.json`)) return
  await Promise.all(
    [...files].map(async ([path, bytes]) => {
      const variants = await variantsOf(path, bytes)
      await Promise.all([
        target.write(`${folder}/${path}`, bytes),
        ...variants.map(([variant, compressed]) => target.write(`${folder}/${variant}`, compressed)),
      ])
    }),
  )
  await target.create(`${folder}/build.json`, jsonBytes(build))
}

/** Reads `build.json` of published versions. */
export interface PublishedBuilds {
  /** Throws when the site does not have this version, or no longer. */
  of(name: string, version: string): Promise<Build>
  host(version: string): Promise<HostBuild>
  remote(name: string, version: string): Promise<RemoteBuild>
}

/**
 * Reads each build once. Make a new one for every change: a prune may remove a version in between.
 * @param candidates builds that the site may not have yet
 */
export function publishedBuilds(target: Target, candidates: readonly Candidate[] = []): PublishedBuilds {
  const known = new Map(
    candidates.map(({ build, version }) => [versionFolder(build.name, version), Promise.resolve(build)]),
  )
  const of = (name: string, version: string): Promise<Build> => {
    const folder = versionFolder(name, version)
    const build = known.get(folder) ?? readPublished(target, folder)
    known.set(folder, build)
    return build
  }
  return {
    of,
    async host(version) {
      const build = await of(HOST_NAME, version)
      if (build.kind !== 'host') throw new Error(`${HOST_NAME} ${version} is not a host`)
      return build
    },
    async remote(name, version) {
      const build = await of(name, version)
      if (build.kind !== 'remote') throw new Error(`${name} ${version} is not a remote`)
      return build
    },
  }
}

async function readPublished(target: Target, folder: string): Promise<Build> {
  const path = `${folder}/build.json`
  const json = await readJson(target, path)
  if (json === null)
    throw new Error(`${target.url}/${path} is missing: this version was pruned or never published`)
  return buildSchema.parse(json)
}
