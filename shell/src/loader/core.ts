import * as runtime from '@module-federation/runtime'
import * as runtimeCore from '@module-federation/runtime-core'
import bundlerRuntime from '@module-federation/webpack-bundler-runtime'
import { remoteRouteAt } from '../route-table.ts'
import { handOver } from './handover.ts'
import { createLoader } from './loader.ts'
import { readPageData } from './page-data.ts'

/**
 * The first script of the page: the federation runtime and the loader.
 *
 * The runtime is here once for all: host and remotes are built to take it from these globals (build/src/federation.ts:
 * `externalRuntime`, `sharedRuntime`), so it must run before the host's first line.
 */
Object.assign(globalThis, { _FEDERATION_RUNTIME_CORE: runtimeCore, _FEDERATION_RUNTIME: runtime })
Object.defineProperty(globalThis, '_FEDERATION_BUNDLER_RUNTIME', {
  // Each bundle writes its own remotes into these options, so each gets its own.
  get: () => ({ __esModule: true, default: { ...bundlerRuntime, bundlerRuntimeOptions: {} } }),
})

const page = readPageData()
const loader = createLoader(page, () => remoteRouteAt(location.pathname)?.remote)
// Load the first page's remote in parallel with the host's own scripts.
const first = remoteRouteAt(location.pathname)
if (first) loader.state(first.remote, first.expose)

handOver({ loader, config: page.config, compositionNumber: page.composition.number })
