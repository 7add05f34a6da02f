import {
  BUILD_LIMITS,
  type Build,
  type HostBuild,
  type RemoteBuild,
  STOCK_MANIFEST,
} from '@anniversary/shared/contract/composition'
import { isCompatible } from '@anniversary/shared/contract/contract-version'
import { satisfies } from 'semver'
import { HOST_NAME, versionOfBuild } from '../builds/read-build.ts'
import { createProblem, type Problem, type Rule } from '../rejected.ts'
import { composedReleaseOf } from '../site/compose.ts'
import { PREVIEW_SEGMENT } from '../site/preview.ts'
import type { SiteRecord } from '../site/record.ts'
import { type PublishedBuilds, versionFolderOf } from '../site/version-folders.ts'
import { contentTypeOf, plainPath } from '../target/compress.ts'
import { jsonBytes } from '../target/target.ts'

type Fault = readonly [found: string, todo: string]

/** @param changed packages that must fit the shell; default: all */
export async function siteProblems(
  { shell, remotes }: SiteRecord,
  published: PublishedBuilds,
  changed: ReadonlySet<string> = new Set([HOST_NAME, ...Object.keys(remotes)]),
): Promise<Problem[]> {
  const host = await published.host(shell.version)
  const reading = Object.entries(remotes).flatMap(([name, { current, canary }]) => {
    const releases = [current, canary?.release].filter((release) => release !== undefined)
    return releases.map(({ version }) => published.remote(name, version))
  })
  const all = await Promise.all(reading)
  const builds = [host, ...all]
  const isChanged = ({ name }: Build) => changed.has(name)
  const collisions = (some: readonly Build[]) => [
    ...problemsOf('routes', some, (build) => routeFaults(build, builds)),
    ...problemsOf('public-files', some, (build) => publicFileFaults(build, builds)),
  ]
  const own = collisions(builds.filter(isChanged))
  const some = isChanged(host) ? all : all.filter(isChanged)
  return [
    ...problemsOf('build', some, releaseFaults),
    ...problemsOf('contract', some, (build) => contractFaults(build, host)),
    ...problemsOf('exposes', some, (build) => exposeFaults(build, all)),
    ...problemsOf('shared', some, (build) => shareFaults(build, host)),
    ...(own.length > 0 ? own : collisions(builds)),
  ]
}

const problemsOf = <B extends Build>(
  rule: Rule,
  builds: readonly B[],
  faultsOf: (build: B) => Iterable<Fault>,
): Problem[] =>
  builds.flatMap((build) =>
    Array.from(faultsOf(build), (fault) => createProblem(rule, build.name, ...fault)),
  )

const titleOf = (build: Build) => `${build.name} ${versionOfBuild(build)}`

function* releaseFaults(build: RemoteBuild): Generator<Fault> {
  const { length } = jsonBytes(composedReleaseOf({ build, version: versionOfBuild(build) }))
  if (length > BUILD_LIMITS.release)
    yield [
      `${titleOf(build)} takes ${length} bytes of the composition, the limit is ${BUILD_LIMITS.release}`,
      'Expose fewer modules with fewer files each, or shorten the texts of its routes',
    ]
}

function* contractFaults(build: RemoteBuild, host: HostBuild): Generator<Fault> {
  const { name, contract } = build
  if (isCompatible(host.contract, contract)) return
  const found = `${titleOf(build)} is built for host contract ${contract}, the shell offers ${host.contract}`
  const isMajor = host.contract.split('.')[0] !== contract.split('.')[0]
  if (isMajor)
    yield [
      found,
      `A major breaks: build ${name} for ${host.contract}, or publish shell and remotes of the same major together in one command`,
    ]
  else
    yield [
      found,
      `Publish a shell that offers ${contract} first, or build ${name} for ${host.contract}`,
    ]
}

/** A canary also runs on the routes of the current release. */
function* exposeFaults(build: RemoteBuild, remotes: readonly RemoteBuild[]): Generator<Fault> {
  const { name, exposes } = build
  const current = remotes.find((other) => other.name === name) ?? build
  for (const { routes } of new Set([current, build]))
    for (const [path, { expose }] of Object.entries(routes))
      if (!exposes[expose])
        yield [
          `the route ${path} shows ${expose}, which ${titleOf(build)} does not expose (it has ${Object.keys(exposes).join(', ') || 'none'})`,
          `Add ${expose} to the exposes of ${name}, or take the route ${path} out of its routes.json`,
        ]
}

/** A second React on the page would break hooks. */
function* shareFaults(build: RemoteBuild, host: HostBuild): Generator<Fault> {
  const { name } = build
  for (const library of Object.keys({ ...host.shared, ...build.shared })) {
    const [offered, range] = [host.shared[library], build.shared[library]]
    if (range === undefined)
      yield [
        `${titleOf(build)} does not take ${library} from the shell`,
        `Build ${name} with the build factory, which shares ${library}`,
      ]
    else if (offered === undefined)
      yield [
        `${titleOf(build)} takes ${library} (${range}) from the shell, which does not share it`,
        `Bundle ${library} into ${name}, or publish a shell that shares it first`,
      ]
    else if (!satisfies(offered, range, { includePrerelease: true }))
      yield [
        `${titleOf(build)} needs ${library} ${range}, the shell shares ${offered}`,
        `Build ${name} with ${library} ${offered}, or publish a shell that shares ${range} first`,
      ]
  }
}

const RESERVED = [
  'api',
  'control',
  'healthz',
  'livez',
  'metrics',
  'composition',
  'compositions',
  'composition.json',
  'config.json',
  'index.html',
  'immutable',
  PREVIEW_SEGMENT,
]

const firstSegment = (path: string) => path.split('/')[1] ?? ''

const ownerOf = (first: string, name: string, builds: readonly Build[]): Build | undefined =>
  builds.find(
    (one) =>
      one.name !== name && Object.keys(one.routes).some((path) => firstSegment(path) === first),
  )

function* routeFaults({ name, routes }: Build, builds: readonly Build[]): Generator<Fault> {
  const inTheWay = builds.find((one) => Object.keys(one.routes).map(firstSegment).includes(name))
  if (RESERVED.includes(name)) yield [`the name ${name} belongs to the server`, 'Rename the remote']
  else if (inTheWay)
    yield [`the name ${name} belongs to a route of ${inTheWay.name}`, 'Rename the remote']

  for (const path of Object.keys(routes)) {
    const first = firstSegment(path)
    const other = ownerOf(first, name, builds)
    if (!/^\/([a-z0-9_-]+(\/[a-z0-9_-]+)*)?$/.test(path) || versionFolderOf(`${path.slice(1)}/`))
      yield [
        `the route ${path} cannot be a folder of the site`,
        'Use lower-case letters, digits, - and _ between single slashes',
      ]
    else if (RESERVED.includes(first))
      yield [`the route ${path} belongs to the server`, 'Choose another path']
    else if (first !== name && builds.some((one) => one.name === first))
      yield [`the route ${path} lies among the versions of ${first}`, 'Choose another path']
    else if (other)
      yield [
        `the route ${path} belongs to ${other.name}, which has routes below /${first}`,
        `Choose another path, or publish ${other.name} without it in the same step`,
      ]
  }
}

function isOfSite(path: string): boolean {
  if (RESERVED.includes(firstSegment(path).toLowerCase())) return true
  if (path.toLowerCase().endsWith('/index.html')) return true
  if (path !== plainPath(path)) return true
  return versionFolderOf(path.slice(1)) !== undefined
}

function* publicFileFaults(
  { name, publicFiles = {} }: Build,
  builds: readonly Build[],
): Generator<Fault> {
  const todo = 'Serve the file under another path'
  for (const path of Object.keys(publicFiles)) {
    const first = firstSegment(path)
    const other = builds.find((one) => one.name !== name && one.publicFiles?.[path])
    const isOfPackage = builds.some((one) => one.name === first)
    // A folder with a dot could be another package's file.
    if (!/^\/([\w-]+\/)*[\w-][\w.-]*\.\w+$/.test(path))
      yield [`${path} is no path of a file at the site's root`, todo]
    else if (isOfSite(path) || (isOfPackage && path !== `/${name}/${STOCK_MANIFEST}`))
      yield [`${path} belongs to the site itself`, todo]
    else if (contentTypeOf(path).includes('javascript') && first !== 'embed')
      yield [
        `${path} could become a service worker of the site's pages`,
        'Serve the script below /embed/',
      ]
    else if (other) yield [`${path} is already served by ${other.name}`, todo]
    else if (path.includes('/', 1) && ownerOf(first, name, builds))
      yield [`${path} lies below a route of ${ownerOf(first, name, builds)?.name}`, todo]
  }
}
