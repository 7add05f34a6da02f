import path from 'node:path'
import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack'
import {
  type Compiler,
  NormalModuleReplacementPlugin,
  type RspackPluginInstance,
  sharing,
} from '@rspack/core'
import { hostShareTable, type RemoteShareTable } from './share-table.ts'

/** The host offers its modules and imports them directly; its own loader loads the remotes. */
export const hostSharing = (development = false) =>
  new sharing.ProvideSharedPlugin({ provides: hostShareTable(development) })

export interface Container {
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
 * The plugin's start-up code imports the runtime by its absolute path. Replaces the path by a name, so that a build has the same
 * bytes from every folder, and resolves the name to our runtime.
 */
function useOwnRuntime(module: { request: string }): void {
  module.request = module.request.includes('data:')
    ? module.request.replace(/%22[^"]*?webpack-bundler-runtime.*?%22/, '%22webpack-bundler-runtime%22')
    : path.join(import.meta.dirname, 'bundler-runtime.ts')
}
