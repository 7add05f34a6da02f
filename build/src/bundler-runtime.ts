import type {
  ConsumesOptions,
  Federation,
  ModuleId,
  ShareScopeMap,
} from '@module-federation/webpack-bundler-runtime'

/*
 * The federation runtime of a remote (docs/decisions/0019). The start-up code that `@module-federation/enhanced` writes into
 * the entry calls these functions. A remote brings no shared module and loads no other remote, so it only takes modules
 * from the host's share scope, each as `singleton` and `strictVersion`.
 */

type Shared = ShareScopeMap[string][string][string]

const compare = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true })
const majorOf = (version: string) => version.split('.')[0]

/** @param range of carets only: `^18.2.0 || ^19.0.0` */
const satisfies = (version: string, range: string) =>
  range
    .split(' || ')
    .map((caret) => caret.slice(1))
    .some((lowest) => majorOf(version) === majorOf(lowest) && compare(version, lowest) >= 0)

/**
 * @returns the copy that is in use already, or else the newest
 * @throws when its version is not in the range, or none is offered
 */
function choose(
  id: ModuleId,
  { moduleToHandlerMapping, webpackRequire: { S: scopes } }: ConsumesOptions,
): Shared {
  const handler = moduleToHandlerMapping[id]
  if (!handler) throw new Error(`The build says nothing about the shared module ${id}`)
  const { shareKey, shareInfo } = handler
  const range = shareInfo.shareConfig.requiredVersion
  // By the key: an offer of the bundler's own host has no `version`.
  const offers = Object.entries(scopes?.[shareInfo.scope[0] ?? 'default']?.[shareKey] ?? {})
  const [version = 'none', shared] =
    offers.find(([, { loaded }]) => loaded) ?? offers.sort(([a], [b]) => compare(b, a))[0] ?? []
  if (shared && range && satisfies(version, range)) return shared
  throw new Error(`Unsatisfied version ${version} of shared singleton module ${shareKey} (required ${range})`)
}

const bundlerRuntime = {
  init: () => undefined,
  /** An entry imports no shared module; its chunks do. */
  installInitialConsumes: () => undefined,
  I: () => true,
  /** What `container.init(shareScope)` calls. */
  initContainerEntry({ shareScope, shareScopeKey, webpackRequire }) {
    webpackRequire.S = { [String(shareScopeKey)]: shareScope }
  },
  /** Called for each chunk, before it runs. */
  consumes(options) {
    const { chunkId, chunkMapping, promises, webpackRequire } = options
    const take = async (id: ModuleId) => {
      const shared = choose(id, options)
      const factory = shared.lib ?? (await shared.get())
      // Upstream's runtime, in the host or another remote, then uses this copy too.
      Object.assign(shared, { lib: factory, loaded: true })
      webpackRequire.m[id] = (module) => {
        module.exports = factory()
      }
    }
    promises.push(...(chunkMapping[chunkId] ?? []).map(take))
  },
} satisfies Partial<Federation['bundlerRuntime']>

// biome-ignore lint/style/noDefaultExport: the start-up code imports it so
export default { bundlerRuntime }
