import { installedVersion } from './packages.ts'

/** The modules that host and remotes share. Each further one is a version that four teams must move together. */
const SHARED = ['react', 'react-dom']
/** Shared in development: React announces itself to the first refresh runtime of a page, and only that one refreshes. */
const REFRESH = 'react-refresh/runtime'

export type Ranges = Readonly<Record<string, string>>

export const sharedVersions = (): Record<string, string> =>
  Object.fromEntries(SHARED.map((name) => [name, installedVersion(name)]))

/** All that start-up.ts understands. */
const CARETS = /^\^[1-9]\d*\.\d+\.\d+( \|\| \^[1-9]\d*\.\d+\.\d+)*$/

export const sharedRanges = (ranges: Ranges = {}): Record<string, string> =>
  Object.fromEntries(SHARED.map((name) => [name, rangeOf(name, ranges[name])]))

function rangeOf(name: string, range = `^${installedVersion(name).split('.')[0]}.0.0`): string {
  if (CARETS.test(range)) return range
  throw new Error(`${name}: write the range "${range}" as "^18.2.0" or "^18.2.0 || ^19.0.0"`)
}

const refreshVersion = () => installedVersion('react-refresh')

/** What the host puts into the share scope: the only copy, so that no remote's deploy can change React for the others. */
export const hostShareTable = (development: boolean) =>
  Object.fromEntries(
    Object.entries({ ...sharedVersions(), ...(development && { [REFRESH]: refreshVersion() }) }).map(
      ([name, version]) => [name, { shareKey: name, version, eager: true }],
    ),
  )

export type RemoteShareTable = ReturnType<typeof remoteShareTable>

export const remoteShareTable = (ranges?: Ranges, refresh = false) =>
  Object.fromEntries(
    Object.entries({ ...sharedRanges(ranges), ...(refresh && { [REFRESH]: `^${refreshVersion()}` }) }).map(
      ([name, requiredVersion]) => [
        name,
        { singleton: true, strictVersion: true, import: false as const, requiredVersion },
      ],
    ),
  )
