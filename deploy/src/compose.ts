import type {
  ComposedRemote,
  Composition,
  HostBuild,
  Release,
  RemoteBuild,
} from '@anniversary/shared/contract/composition'
import type { PublicConfig } from '@anniversary/shared/contract/config'
import type { Candidate } from './build-dir.ts'
import { compatible } from './contract-version.ts'
import type { Change, Draft, SiteRecord } from './record.ts'

/*
 * The states of a site and the steps between them. Pure: a draft in, a draft out; nothing is read, written or checked.
 */

/** URL of a file of a published version. */
export const urlOf = (name: string, version: string, file: string): string => `/${name}/${version}/${file}`

export function releaseOf({ build, version }: Candidate<RemoteBuild>): Release {
  const located = (file: string) => {
    const listed = build.files[file]
    if (!listed) throw new Error(`${file} is not a file of ${build.name} ${version}`)
    return { url: urlOf(build.name, version, file), integrity: listed.integrity }
  }
  const entry = located(build.entry)
  return {
    version,
    entry: entry.url,
    integrity: entry.integrity,
    container: build.container,
    contract: build.contract,
    exposes: Object.fromEntries(
      Object.entries(build.exposes).map(([expose, { js, css }]) => [
        expose,
        { js: js.map(located), css: css.map(located) },
      ]),
    ),
  }
}

export type Shell = Draft['shell']

export const shellOf = ({ build, version }: Candidate<HostBuild>): Shell => ({
  version,
  contract: build.contract,
})

/** The first state of a site. */
export const firstDraft = (shell: Shell, config: PublicConfig): Draft => ({ shell, remotes: {}, config })

/** A previous release that the new shell cannot run is forgotten: the loader must not fall back to it. */
export const withShell = (draft: Draft, shell: Shell): Draft => ({
  ...draft,
  shell,
  remotes: mapRemotes(draft.remotes, (remote) =>
    remote.previous && !compatible(shell.contract, remote.previous.contract)
      ? without(remote, 'previous')
      : remote,
  ),
})

/**
 * Makes a release the current one. What was current becomes the previous good one, where the shell can still run it,
 * and unless it was switched off: then it was not good, and the one before it stays.
 */
export function withRelease(draft: Draft, name: string, release: Release): Draft {
  const old = draft.remotes[name]
  if (!old) return withRemote(draft, name, { status: 'on', current: release })
  const rest = old.canary?.release.version === release.version ? without(old, 'canary') : old
  if (old.current.version === release.version) return withRemote(draft, name, rest)
  if (old.status === 'off') return withRemote(draft, name, { ...rest, current: release })
  const next = { ...without(rest, 'previous'), current: release }
  const good = compatible(draft.shell.contract, old.current.contract)
  return withRemote(draft, name, good ? { ...next, previous: old.current } : next)
}

/** Goes to a release without calling the one that is left good. */
export function backTo(draft: Draft, name: string, release: Release, previous?: Release): Draft {
  const old = remoteOf(draft, name)
  return withRemote(draft, name, {
    status: old.status,
    current: release,
    ...(previous && previous.version !== release.version ? { previous } : {}),
  })
}

export const withCanary = (draft: Draft, name: string, release: Release, percent: number): Draft =>
  withRemote(draft, name, { ...remoteOf(draft, name), canary: { release, percent } })

export const withoutCanary = (draft: Draft, name: string): Draft =>
  withRemote(draft, name, without(remoteOf(draft, name), 'canary'))

export const withStatus = (draft: Draft, name: string, status: ComposedRemote['status']): Draft =>
  withRemote(draft, name, { ...remoteOf(draft, name), status })

export const withConfig = (draft: Draft, config: PublicConfig): Draft => ({ ...draft, config })

/** The record that follows `before` (null: the first). */
export const nextRecord = (
  before: SiteRecord | null,
  draft: Draft,
  change: Change,
  now: Date,
): SiteRecord => ({
  number: (before?.number ?? 0) + 1,
  createdAt: now.toISOString(),
  shell: draft.shell,
  remotes: draft.remotes,
  config: draft.config,
  change,
})

/** What pages and the pointer carry of a record. */
export const compositionOf = ({ number, createdAt, shell, remotes }: SiteRecord): Composition => ({
  number,
  createdAt,
  shell,
  remotes,
})

/** Throws when the site has no such remote. */
export function remoteOf(draft: Draft, name: string): ComposedRemote {
  const remote = draft.remotes[name]
  if (!remote)
    throw new Error(`This site has no remote ${name}; it has ${Object.keys(draft.remotes).join(', ')}`)
  return remote
}

const withRemote = (draft: Draft, name: string, remote: ComposedRemote): Draft => ({
  ...draft,
  // Sorted, so that a site's files do not depend on the order of its deploys.
  remotes: Object.fromEntries(
    Object.entries({ ...draft.remotes, [name]: remote }).sort(([a], [b]) => (a < b ? -1 : 1)),
  ),
})

const mapRemotes = (
  remotes: Draft['remotes'],
  change: (remote: ComposedRemote) => ComposedRemote,
): Draft['remotes'] =>
  Object.fromEntries(Object.entries(remotes).map(([name, remote]) => [name, change(remote)]))

function without<K extends 'previous' | 'canary'>(remote: ComposedRemote, key: K): Omit<ComposedRemote, K> {
  const { [key]: _, ...rest } = remote
  return rest
}
