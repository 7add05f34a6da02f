import { isDeepStrictEqual } from 'node:util'
import type {
  Build,
  ComposedRemote,
  Composition,
  HostBuild,
  Release,
  RemoteBuild,
} from '@anniversary/shared/contract/composition'
import type { SiteRoute } from '@anniversary/shared/contract/routes'
import { type Candidate, HOST_NAME, isRemoteBuild } from '../builds/read-build.ts'
import { createRejection } from '../rejected.ts'
import { jsonBytes, sha256 } from '../target/target.ts'
import { noticeIn } from './notice.ts'
import { type Preview, previewFolder } from './preview.ts'
import type { SitePointer, SiteRecord } from './record.ts'
import { versionPathOf } from './version-folders.ts'

export const fileUrlOf = (build: Build, version: string, file: string): string =>
  `/${versionPathOf(build, version, file)}`

/** Returns null for a path of the site itself. */
export function originOf(url: string): string | null {
  if (!URL.canParse(url)) return null
  return new URL(url).origin
}

/** Stays a path until the site's address is configured. */
export function absoluteUrl(path: string, eventUrl: string | undefined): string {
  if (!eventUrl) return path
  return new URL(path, eventUrl).href
}

export function composedShellOf({
  build: { contract, firstScript = '', files },
  version,
}: Pick<Candidate<HostBuild>, 'build' | 'version'>): SiteRecord['shell'] {
  const integrity = files[firstScript]?.integrity
  return { version, contract, ...(integrity && { firstScript: integrity }) }
}

export function composedReleaseOf({
  build,
  version,
}: Pick<Candidate<RemoteBuild>, 'build' | 'version'>): Release {
  const located = (file: string) => {
    const listed = build.files[file]
    if (!listed) throw new Error(`${file} is not a file of ${build.name} ${version}`)
    return { url: fileUrlOf(build, version, file), integrity: listed.integrity }
  }
  const entry = located(build.entry)
  return {
    version,
    entry: entry.url,
    integrity: entry.integrity,
    container: build.container,
    contract: build.contract,
    routes: build.routes,
    exposes: Object.fromEntries(
      Object.entries(build.exposes).map(([expose, { js, css }]) => [
        expose,
        { js: js.map(located), css: css.map(located) },
      ]),
    ),
    ...(build.trustedTypes && { trustedTypes: build.trustedTypes }),
  }
}

/** The old release becomes the fallback, unless the remote is switched off. */
export function withRelease(site: SiteRecord, name: string, release: Release): SiteRecord {
  const old = site.remotes[name]
  if (!old) return withRemote(site, name, { status: 'on', current: release })
  if (old.current.version === release.version) return site
  // An earlier canary may have the fault that this release fixes.
  const rest = withoutCanary(site, name)
  const remote = { ...composedRemoteOf(rest, name), current: release }
  if (old.status === 'on') remote.previous = old.current
  return withRemote(rest, name, remote)
}

export type Canary = NonNullable<ComposedRemote['canary']>

/** @throws Rejected when the remote has no canary */
export function canaryOfRemote(site: SiteRecord, name: string): Canary {
  const { canary } = composedRemoteOf(site, name)
  if (canary) return canary
  throw createRejection(
    'site',
    name,
    'it has no canary',
    `Look at \`deploy status\`; \`deploy canary start ./${name} --percent 5\` starts one`,
  )
}

export const withCanary = (site: SiteRecord, name: string, canary: Canary): SiteRecord =>
  withRemote(site, name, { ...composedRemoteOf(site, name), canary })

export function withoutCanary(site: SiteRecord, name: string): SiteRecord {
  if (!site.remotes[name]?.canary) return site
  return withRemote(site, name, withoutRelease(composedRemoteOf(site, name), 'canary'))
}

/** Keeps the canaries that `site` runs too. */
export function withoutEndedCanaries(record: SiteRecord, site: SiteRecord): SiteRecord {
  let kept = record
  for (const [name, { canary }] of Object.entries(record.remotes))
    if (canary?.release.version !== site.remotes[name]?.canary?.release.version)
      kept = withoutCanary(kept, name)
  return kept
}

/**
 * Every visitor sees these builds, without previous releases that would hide
 * failures. A canary runs on the current routes too.
 */
export function showingBuilds(site: SiteRecord, candidates: readonly Candidate[]): SiteRecord {
  const remotes = Object.entries(site.remotes).map(([name, live]): [string, ComposedRemote] => {
    const { status, current } = live
    const candidate = candidates.filter(isRemoteBuild).find(({ build }) => build.name === name)
    if (!candidate) return [name, { status, current }]
    const release = composedReleaseOf(candidate)
    const routes = { ...current.routes, ...release.routes }
    return [name, { status: 'on', current: { ...release, routes } }]
  })
  return { ...site, remotes: Object.fromEntries(remotes) }
}

export const releasesOf = ({ current, previous, canary }: ComposedRemote): Release[] =>
  [current, previous, canary?.release].filter((release) => release !== undefined)

/**
 * Also of remotes that are off, so that a switch leaves the headers as they
 * are.
 */
export const trustedTypesOf = ({ remotes }: Composition): string[] =>
  Object.values(remotes)
    .flatMap(releasesOf)
    .flatMap((release) => release.trustedTypes ?? [])

export const versionsOf = ({ shell, remotes }: SiteRecord): [name: string, version: string][] => [
  [HOST_NAME, shell.version],
  ...Object.entries(remotes).flatMap(([name, remote]) =>
    releasesOf(remote).map(({ version }): [string, string] => [name, version]),
  ),
]

export function versionInSite({ shell, remotes }: SiteRecord, name: string): string | undefined {
  if (name === HOST_NAME) return shell.version
  // Reports may name anything, such as `constructor`.
  if (!Object.hasOwn(remotes, name)) return undefined
  return remotes[name]?.current.version
}

export const shownComposition = ({
  number,
  createdAt,
  shown = { number, createdAt },
}: SiteRecord): SiteRecord['shown'] & {} => shown

export const compositionOf = (record: SiteRecord): Composition => ({
  ...shownComposition(record),
  shell: record.shell,
  remotes: record.remotes,
})

export const pointerTo = (record: SiteRecord): SitePointer => ({
  ...shownComposition(record),
  ...noticeIn(record),
})

export const isShown = (record: SiteRecord, pointer: SitePointer | null): boolean =>
  isDeepStrictEqual(pointer, pointerTo(record))

/** Pages must not grow with the number of teams. */
export function pagePartFor(
  composition: Composition,
  path: string,
  { remote: shown }: SiteRoute,
): Composition {
  const remote = shown && composition.remotes[shown.name]
  if (!remote) return { ...composition, remotes: {} }
  const { name, expose } = shown
  const part = ({ routes, ...release }: Release): Release => {
    const files = release.exposes[expose]
    if (!files) return { ...release, exposes: {} }
    return { ...release, exposes: { [expose]: files } }
  }
  const { current, previous, canary } = remote
  const route = current.routes?.[path]
  const own: ComposedRemote = { ...remote, current: part(current) }
  if (route) own.current.routes = { [path]: route }
  if (previous) own.previous = part(previous)
  if (canary) own.canary = { ...canary, release: part(canary.release) }
  return { ...composition, remotes: { [name]: own } }
}

export const WHOLE_FOLDER = 'composition'

export function compositionFile(composition: Composition, preview?: Pick<Preview, 'id'>) {
  const bytes = jsonBytes(composition)
  const folder = preview ? previewFolder(preview) : WHOLE_FOLDER
  return { path: `${folder}/${composition.number}-${sha256(bytes).slice(0, 12)}.json`, bytes }
}

export function composedRemoteOf(site: SiteRecord, name: string): ComposedRemote {
  const remote = site.remotes[name]
  if (remote && Object.hasOwn(site.remotes, name)) return remote
  const names = Object.keys(site.remotes).join(', ') || 'none yet'
  throw createRejection(
    'site',
    name,
    'the site has no such remote',
    `Publish it, or name one that it has: ${names}`,
  )
}

export const withRemote = (site: SiteRecord, name: string, remote: ComposedRemote): SiteRecord => ({
  ...site,
  // Sorted, so that files do not depend on the order of deploys.
  remotes: Object.fromEntries(
    Object.entries({ ...site.remotes, [name]: remote }).sort(([a], [b]) => (a < b ? -1 : 1)),
  ),
})

export function withoutRelease<K extends 'previous' | 'canary'>(
  remote: ComposedRemote,
  key: K,
): Omit<ComposedRemote, K> {
  const { [key]: _, ...rest } = remote
  return rest
}
