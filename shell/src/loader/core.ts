import { init } from '@module-federation/runtime'
import {
  assert,
  CurrentGlobal,
  getGlobalFederationConstructor,
  helpers,
  ModuleFederation,
  setGlobalFederationConstructor,
  setGlobalFederationInstance,
} from '@module-federation/runtime-core'
import { attachShareScopeMap, bundlerRuntime } from '@module-federation/webpack-bundler-runtime'
import { remoteRouteAt } from '../route-table.ts'
import { handOver } from './handover.ts'
import { createLoader } from './loader.ts'
import { readPageData } from './page-data.ts'
import { showPrerendered } from './prerendered-page.ts'

/**
 * The first script of the page: the federation runtime and the loader.
 *
 * The runtime is here once for all: host and remotes are built to take it from these globals (build/src/federation.ts:
 * `externalRuntime`, `sharedRuntime`), so it must run before the host's first line. Single names instead of whole
 * modules, which would keep all that they export: 5 kB.
 */
Object.defineProperty(globalThis, '_FEDERATION_BUNDLER_RUNTIME', {
  // Each bundle writes into these options, so each gets its own.
  get: () => ({
    __esModule: true,
    default: { runtime: { init }, bundlerRuntime, attachShareScopeMap, bundlerRuntimeOptions: {} },
  }),
})
Object.assign(globalThis, {
  // What a remote that brings the two upper layers itself (`foreignHosts`) imports from the core.
  _FEDERATION_RUNTIME_CORE: {
    assert,
    CurrentGlobal,
    getGlobalFederationConstructor,
    helpers,
    ModuleFederation,
    setGlobalFederationConstructor,
    setGlobalFederationInstance,
  },
})

const page = readPageData()
const loader = createLoader(page, () => remoteRouteAt(location.pathname)?.remote)
// Load the first page's remote in parallel with the host's own scripts.
const first = remoteRouteAt(location.pathname)
if (first) {
  loader.state(first.remote, first.expose)
  const release = loader.release(first.remote)
  if (release) showPrerendered(release, first.expose)
}

handOver({ loader, config: page.config, compositionNumber: page.composition.number })
