import * as runtime from '@module-federation/runtime'
import * as runtimeCore from '@module-federation/runtime-core'
import bundlerRuntime from '@module-federation/webpack-bundler-runtime'
import { readPageData } from '../page-data.ts'
import { remoteRouteAt } from '../routing/route-table.ts'
import { handOver } from './from-core.ts'
import { waitingBeside } from './load-file.ts'
import { publishedFolders } from './published-folders.ts'
import { fetchContainer, fetchFiles, fetchRelease } from './release-files.ts'
import { allowScriptsIn } from './trusted-scripts.ts'

/**
 * The federation runtime, once for the page: host and remotes are built to take it from here (build/src/federation.ts:
 * `externalRuntime`, `sharedRuntime`), so no remote carries its own. A script of its own, because it must run before the
 * host's first line; and since it runs first, it also sets the first page's remote on its way.
 */
Object.assign(globalThis, { _FEDERATION_RUNTIME_CORE: runtimeCore, _FEDERATION_RUNTIME: runtime })
Object.defineProperty(globalThis, '_FEDERATION_BUNDLER_RUNTIME', {
  // Each bundle writes its own remotes into these options, so each gets its own.
  get: () => ({ __esModule: true, default: { ...bundlerRuntime, bundlerRuntimeOptions: {} } }),
})

const page = readPageData()
const folders = publishedFolders(page.composition)
allowScriptsIn(folders)

/** The first page's remote goes its way while the host's own scripts are still on theirs. */
function startFirst() {
  const first = remoteRouteAt(location.pathname)
  const remote = first && page.remotes[first.remote]
  if (!first || remote?.status !== 'on') return {}
  const request = { query: '', signal: new AbortController().signal }
  const container = fetchRelease(remote.current, first.expose, request)
  // The host hears of a failure when it asks; until then nobody listens.
  container.catch(() => undefined)
  return { early: { release: remote.current, expose: first.expose, container } }
}

handOver({ ...page, folders, fetchContainer, fetchFiles, waitingBeside, ...startFirst() })
