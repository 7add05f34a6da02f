/*
 * Replaces upstream's runtime (docs/decisions/0003): a remote brings no shared
 * module and loads no other remote.
 */

interface Shared {
  get(): Promise<Factory>
  lib?: Factory
  loaded?: boolean | 1
}
type Factory = () => unknown
type ShareScope = Readonly<Record<string, Readonly<Record<string, Shared>>>>

interface Runtime {
  readonly m: Record<string, (module: { exports: unknown }) => void>
  readonly f: Record<string, (chunk: string, promises: Promise<unknown>[]) => void>
  readonly initializeExposesData: {
    readonly moduleMap: Readonly<Record<string, () => Promise<Factory>>>
  }
  readonly consumesLoadingData?: {
    readonly chunkMapping: Readonly<Record<string, readonly string[]>>
    readonly moduleIdToConsumeDataMapping: Readonly<
      Record<string, { readonly shareKey: string; readonly requiredVersion: string }>
    >
  }
  initContainer(scope: ShareScope): void
  getContainer(expose: string): Promise<Factory>
}
declare const __webpack_require__: Runtime

const runtime = __webpack_require__
const { chunkMapping = {}, moduleIdToConsumeDataMapping: consumed = {} } =
  runtime.consumesLoadingData ?? {}
let offered: ShareScope = {}

const compare = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true })
const majorOf = (version: string) => version.split('.')[0]

/** @param lowest `19.2.0` of `^19.2.0` */
const satisfies = (version: string, lowest: string) =>
  majorOf(version) === majorOf(lowest) && compare(version, lowest) >= 0

/**
 * Prefers the copy in use, then the newest.
 * @throws Error when its version is not in the range
 */
function choose(name: string, range: string): Shared {
  // The bundler's own host gives no `version`.
  const offers = Object.entries(offered[name] ?? {})
  const [version = 'none', shared] =
    offers.find(([, { loaded }]) => loaded) ?? offers.sort(([a], [b]) => compare(b, a))[0] ?? []
  if (shared && satisfies(version, range.slice(1))) return shared
  throw new Error(
    `Unsatisfied version ${version} of shared singleton module ${name} (required ${range})`,
  )
}

async function take(id: string): Promise<void> {
  const { shareKey = '', requiredVersion = '' } = consumed[id] ?? {}
  const shared = choose(shareKey, requiredVersion)
  const factory = shared.lib ?? (await shared.get())
  // Upstream's runtime then uses this copy too.
  Object.assign(shared, { lib: factory, loaded: true })
  runtime.m[id] = (module) => {
    module.exports = factory()
  }
}

runtime.f.consumes = (chunk, promises) =>
  void promises.push(...(chunkMapping[chunk] ?? []).map(take))

runtime.initContainer = (scope) => {
  offered = scope
}
runtime.getContainer = async (expose) => {
  const load = runtime.initializeExposesData.moduleMap[expose]
  if (!load) throw new Error(`Module "${expose}" does not exist in container.`)
  return await load()
}
