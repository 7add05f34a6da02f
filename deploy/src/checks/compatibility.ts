import type { Build, HostBuild, RemoteBuild } from '@anniversary/shared/contract/composition'
import { compatible } from '@anniversary/shared/contract/contract-version'
import { satisfies, validRange } from 'semver'
import { versionOf } from '../builds/read-build.ts'
import type { Problem } from '../rejected.ts'
import { PREVIEW_SEGMENT } from '../site/preview.ts'

/** The site as it would be after a change. */
export interface ProposedSite {
  readonly host: HostBuild
  /** The builds of remotes that a member could get: each current one, followed by its canary. */
  readonly remotes: readonly RemoteBuild[]
}

/** First path segments that belong to the server. */
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
  PREVIEW_SEGMENT,
]

/**
 * The rules that host and remotes must keep for the site's pages to work. Empty: the change may go live.
 * @param changed names of the packages that the change is about; problems of other packages do not reject it
 */
export function compatibilityProblems(site: ProposedSite, changed: ReadonlySet<string>): Problem[] {
  const problems = site.remotes
    .filter(({ name }) => changed.has(name) || changed.has(site.host.name))
    .flatMap((remote) => [
      ...contractProblems(site.host, remote),
      ...exposeProblems(site, remote),
      ...shareProblems(site.host, remote),
    ])
  return [...problems, ...routeProblems(site, changed), ...publicFileProblems(site, changed)]
}

const firstSegment = (path: string): string => path.split('/')[1] ?? ''

const buildsOf = ({ host, remotes }: ProposedSite): Build[] => [host, ...remotes]

const titleOf = (build: Build): string => `${build.name} ${versionOf(build)}`

/** Names and routes are folders of the site. Each belongs to one package; some belong to the server. */
function routeProblems(site: ProposedSite, changed: ReadonlySet<string>): Problem[] {
  const builds = buildsOf(site)
  const names = builds.map(({ name }) => name)
  return builds
    .filter(({ name }) => changed.has(name))
    .flatMap((build) => {
      const { name } = build
      const fault = (found: string, todo: string): Problem => ({ rule: 'routes', about: name, found, todo })
      const inTheWay = builds.find(({ routes }) => Object.keys(routes).map(firstSegment).includes(name))
      const owner = RESERVED.includes(name) ? 'the server' : inTheWay && `a route of ${inTheWay.name}`
      const problems = owner ? [fault(`the name ${name} belongs to ${owner}`, 'Rename the remote')] : []
      for (const path of Object.keys(build.routes)) {
        const other = builds.find((one) => one.name !== name && one.routes[path])
        if (!/^\/([a-z0-9_-]+(\/[a-z0-9_-]+)*)?$/.test(path))
          problems.push(
            fault(
              `the route ${path} cannot be a folder of the site`,
              'Use lower-case letters, digits, - and _ between single slashes',
            ),
          )
        else if (RESERVED.includes(firstSegment(path)))
          problems.push(fault(`the route ${path} belongs to the server`, 'Choose another path'))
        else if (names.includes(firstSegment(path)) && firstSegment(path) !== name)
          problems.push(
            fault(
              `the route ${path} lies among the versions of ${firstSegment(path)}`,
              'Choose another path',
            ),
          )
        else if (other)
          problems.push(
            fault(
              `the route ${path} belongs to ${other.name}`,
              `Choose another path, or publish ${other.name} without it in the same step`,
            ),
          )
      }
      return problems
    })
}

function contractProblems(host: HostBuild, build: RemoteBuild): Problem[] {
  const { name } = build
  if (compatible(host.contract, build.contract)) return []
  const [hostMajor] = host.contract.split('.')
  const [major] = build.contract.split('.')
  const found = `${titleOf(build)} is built for host contract ${build.contract}, the shell offers ${host.contract}`
  const todo =
    hostMajor === major
      ? `Publish a shell that offers ${build.contract} first, or build ${name} for ${host.contract}`
      : `A major breaks: build ${name} for ${host.contract}, or publish shell and remotes of the same major together in one command`
  return [{ rule: 'contract', about: name, found, todo }]
}

/** A build must expose the pages of its own routes. A canary also runs on the routes of the current release. */
function exposeProblems(site: ProposedSite, build: RemoteBuild): Problem[] {
  const { name } = build
  const current = site.remotes.find((other) => other.name === name) ?? build
  return [...new Set([current, build])]
    .flatMap(({ routes }) => Object.entries(routes))
    .filter(([, { expose }]) => !build.exposes[expose])
    .map(([path, { expose }]) => ({
      rule: 'exposes',
      about: name,
      found: `the route ${path} shows ${expose}, which ${titleOf(build)} does not expose (it has ${Object.keys(build.exposes).join(', ') || 'none'})`,
      todo: `Add ${expose} to the exposes of ${name}, or take the route ${path} out of its routes.json`,
    }))
}

/** A remote must use the shell's copy of every shared library: a second React on the page would break hooks. */
function shareProblems(host: HostBuild, build: RemoteBuild): Problem[] {
  const { name } = build
  const fault = (found: string, todo: string): Problem[] => [{ rule: 'shared', about: name, found, todo }]
  const libraries = new Set([...Object.keys(host.shared), ...Object.keys(build.shared)])
  return [...libraries].flatMap((library): Problem[] => {
    const [offered, range] = [host.shared[library], build.shared[library]]
    if (range === undefined)
      return fault(
        `${titleOf(build)} does not take ${library} from the shell`,
        `Build ${name} with the build factory, which shares ${library}`,
      )
    if (offered === undefined)
      return fault(
        `${titleOf(build)} takes ${library} (${range}) from the shell, which does not share it`,
        `Bundle ${library} into ${name}, or publish a shell that shares it first`,
      )
    if (validRange(range) === null)
      return fault(
        `${titleOf(build)} asks for ${library} in the range "${range}", which is no range`,
        'Correct the share table of its build',
      )
    if (!satisfies(offered, range, { includePrerelease: true }))
      return fault(
        `${titleOf(build)} needs ${library} ${range}, the shell shares ${offered}`,
        `Build ${name} with ${library} ${offered}, or publish a shell that shares ${range} first`,
      )
    return []
  })
}

function publicFileProblems(site: ProposedSite, changed: ReadonlySet<string>): Problem[] {
  const builds = buildsOf(site)
  const folders = builds.map(({ name }) => name)
  return builds
    .filter(({ name }) => changed.has(name))
    .flatMap((build) =>
      Object.keys(build.publicFiles ?? {}).flatMap((path): Problem[] => {
        const fault = (found: string): Problem[] => [
          { rule: 'public-files', about: build.name, found, todo: 'Serve the file under another path' },
        ]
        const first = firstSegment(path)
        if (!/^\/[\w-][\w./-]*\.\w+$/.test(path) || path.includes('/.'))
          return fault(`${path} is no path of a file at the site's root`)
        if (RESERVED.includes(first) || folders.includes(first) || path.endsWith('/index.html'))
          return fault(`${path} belongs to the site itself`)
        const other = builds.find(({ name, publicFiles }) => name !== build.name && publicFiles?.[path])
        return other ? fault(`${path} is already served by ${other.name}`) : []
      }),
    )
}
