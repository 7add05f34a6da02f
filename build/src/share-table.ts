import { installedVersion } from './packages.ts'

/** The modules that host and remotes share. Each further one is a version that four teams must move together. */
const SHARED = ['react', 'react-dom']
/** Shared in development: React announces itself to the first refresh runtime of a page, and only that one refreshes. */
const REFRESH = 'react-refresh/runtime'

export const sharedVersions = (): Record<string, string> =>
  Object.fromEntries(SHARED.map((name) => [name, installedVersion(name)]))

/** What a remote works with: the installed minor, whose API it may use, and later ones of its major. */
export const sharedRanges = (): Record<string, string> =>
  Object.fromEntries(SHARED.map((name) => [name, `^${installedVersion(name).replace(/\.\d+$/, '.0')}`]))

const refreshVersion = () => installedVersion('react-refresh')

/** What the host puts into the share scope: the only copy, so that no remote's deploy can change React for the others. */
export const hostShareTable = (development: boolean) =>
  Object.fromEntries(
    Object.entries({ ...sharedVersions(), ...(development && { [REFRESH]: refreshVersion() }) }).map(
      ([name, version]) => [name, { shareKey: name, version, eager: true }],
    ),
  )

export type RemoteShareTable = ReturnType<typeof remoteShareTable>

export const remoteShareTable = (refresh = false) =>
  Object.fromEntries(
    Object.entries({ ...sharedRanges(), ...(refresh && { [REFRESH]: `^${refreshVersion()}` }) }).map(
      ([name, requiredVersion]) => [
        name,
        { singleton: true, strictVersion: true, import: false as const, requiredVersion },
      ],
    ),
  )
