import { installedVersion } from './packages.ts'

/** The modules that host and remotes share. Each further one is a version that four teams must move together. */
const SHARED = ['react', 'react-dom']

/** Module → semver range. */
export type Ranges = Readonly<Record<string, string>>

/** Module → the version that the host offers. */
export const sharedVersions = (): Record<string, string> =>
  Object.fromEntries(SHARED.map((name) => [name, installedVersion(name)]))

/** What bundler-runtime.ts reads. */
const CARETS = /^\^[1-9]\d*\.\d+\.\d+( \|\| \^[1-9]\d*\.\d+\.\d+)*$/

/**
 * Module → the range that a remote asks for.
 * @param ranges in place of the default, which is the installed major
 * @throws when one is not of carets: `^18.2.0 || ^19.0.0`
 */
export const sharedRanges = (ranges: Ranges = {}): Record<string, string> =>
  Object.fromEntries(SHARED.map((name) => [name, rangeOf(name, ranges[name])]))

function rangeOf(name: string, range = `^${installedVersion(name).split('.')[0]}.0.0`): string {
  if (CARETS.test(range)) return range
  throw new Error(`${name}: write the range "${range}" as "^18.2.0" or "^18.2.0 || ^19.0.0"`)
}

/** What the host puts into the share scope: the only copy, so that no remote's deploy can change React for the others. */
export const hostShareTable = () =>
  Object.fromEntries(
    Object.entries(sharedVersions()).map(([name, version]) => [
      name,
      { shareKey: name, version, eager: true },
    ]),
  )

interface Consumed {
  readonly singleton: true
  readonly version: string
  readonly requiredVersion: string
  readonly strictVersion: true
  readonly import?: false
}

/** Module → how a remote takes it from the share scope. */
export type RemoteShareTable = Record<string, Consumed>

/** @param alone keeps an own copy as fallback, so that the remote runs without a host */
export const remoteShareTable = (ranges?: Ranges, alone = false): RemoteShareTable =>
  Object.fromEntries(
    Object.entries(sharedRanges(ranges)).map(([name, requiredVersion]) => [
      name,
      {
        singleton: true,
        version: installedVersion(name),
        requiredVersion,
        strictVersion: true,
        ...(alone ? {} : { import: false }),
      },
    ]),
  )
