import path from 'node:path'
import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack'
import {
  type Compiler,
  NormalModuleReplacementPlugin,
  type RspackPluginInstance,
  sharing,
} from '@rspack/core'
import { hostShareTable, type RemoteShareTable } from './share-table.ts'

/**
 * The host offers its modules and imports them directly. Remotes are loaded by a loader of its own.
 * @param development offers React's refresh runtime too
 */
export const hostSharing = (development = false) =>
  new sharing.ProvideSharedPlugin({ provides: hostShareTable(development) })

export interface Container {
  /** Of the global that holds it. */
  readonly name: string
  readonly filename: string
  readonly shared: RemoteShareTable
  readonly exposes: Record<string, { import: string; name: string }>
}

/**
 * The container of a remote, with our small runtime in place of upstream's: the shell's loader does the rest
 * (docs/decisions/0019).
 */
export const federatedContainer = (own: Container): RspackPluginInstance => ({
  apply(compiler: Compiler) {
    new ModuleFederationPlugin({
      ...own,
      shareStrategy: 'loaded-first',
      dts: false,
      manifest: false,
      experiments: { optimization: { target: 'web' } },
    }).apply(compiler)
    new NormalModuleReplacementPlugin(/webpack-bundler-runtime/, useOwnRuntime).apply(compiler)
  },
})

/**
 * The plugin's start-up code is a `data:` module, which imports the runtime by its absolute path. Replaces that path by a
 * name, so that a build has the same bytes from every folder, and resolves the name to our runtime. The plugin's option
 * `implementation` does neither: it wants a folder with a node_modules, which an npm package cannot have.
 */
function useOwnRuntime(module: { request: string }): void {
  module.request = module.request.includes('data:')
    ? module.request.replace(/%22[^"]*?webpack-bundler-runtime.*?%22/, '%22webpack-bundler-runtime%22')
    : path.join(import.meta.dirname, 'bundler-runtime.ts')
}
