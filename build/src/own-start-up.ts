import path from 'node:path'
import type { Compiler, RspackPluginInstance } from '@rspack/core'
import manifest from '../package.json' with { type: 'json' }

/** Beginning of the plugin's request for upstream's start-up code. */
const UPSTREAM_START_UP =
  '@module-federation/runtime/rspack.js!=!data:text/javascript,import%20__module_federation_bundler_runtime__'

const OWN_START_UP = path.join(import.meta.dirname, 'start-up.ts')

const isOfUpstream = (request: string) =>
  /^@module-federation\/|__module_federation|webpack-bundler-runtime/.test(request)

/** Fails the build for other requests of upstream's runtime. */
export const ownStartUp: RspackPluginInstance = {
  apply(compiler: Compiler) {
    const found = new Set<string>()

    compiler.hooks.normalModuleFactory.tap('own start-up', ({ hooks }) => {
      hooks.beforeResolve.tap('own start-up', (module) => {
        if (!isOfUpstream(module.request)) return
        found.add(module.request)
        if (module.request.startsWith(UPSTREAM_START_UP)) module.request = OWN_START_UP
      })
    })

    compiler.hooks.afterCompile.tap('own start-up', ({ errors }) => {
      const fault = startUpFault([...found])
      if (fault) errors.push(new Error(fault) as never) // its type wants the bundler's own class
    })
  },
}

/** Returns undefined for exactly the known request. */
export function startUpFault(requests: readonly string[]): string | undefined {
  const [only = '', ...others] = requests
  if (others.length === 0 && only.startsWith(UPSTREAM_START_UP)) return undefined
  const list = requests.map((request) => `  ${request.slice(0, 160)}`)
  return [
    'Upstream’s federation runtime would be in the entry, because the plugin requests it in a new way:',
    ...(list.length > 0 ? list : ['  (no request)']),
    'Expected is exactly one request that begins with:',
    `  ${UPSTREAM_START_UP}`,
    `Install @module-federation/enhanced ${manifest.dependencies['@module-federation/enhanced']}. If it is installed, adapt build/src/own-start-up.ts.`,
  ].join('\n')
}
