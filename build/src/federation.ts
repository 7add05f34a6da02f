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
export const hostSharing = (development = false): RspackPluginInstance =>
  new sharing.ProvideSharedPlugin({ provides: hostShareTable(development) })

export interface Container {
  readonly name: string
  readonly filename: string
  readonly shared: RemoteShareTable
  readonly exposes: Record<string, { import: string; name: string }>
}

/** The container of a remote, with our small runtime in place of upstream's (docs/decisions/0019). */
export const federatedContainer = (own: Container): RspackPluginInstance => ({
  apply(compiler: Compiler) {
    new ModuleFederationPlugin({
      ...own,
      shareStrategy: 'loaded-first',
      dts: false,
      manifest: false,
      experiments: { optimization: { target: 'web' } },
    }).apply(compiler)
    new NormalModuleReplacementPlugin(/webpack-bundler-runtime/, useOwnStartUp).apply(compiler)
  },
})

/** The plugin's start-up code is a text that imports upstream's runtime by its path. This text imports ours by a name. */
function useOwnStartUp(module: { request: string }): void {
  module.request = module.request.includes('data:')
    ? 'data:text/javascript,import%20%22webpack-bundler-runtime%22'
    : path.join(import.meta.dirname, 'start-up.ts')
}
