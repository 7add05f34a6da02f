import * as runtimeCore from '@module-federation/runtime-core'

/**
 * The federation runtime's core, once for the page: host and remotes are built with `externalRuntime` and take it from
 * here, so no remote carries its own. A script of its own, because it must run before the host's first line.
 */
Object.assign(globalThis, { _FEDERATION_RUNTIME_CORE: runtimeCore })
