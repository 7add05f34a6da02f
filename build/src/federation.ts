import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack'
import { container } from '@rspack/core'
import type { ShareTable } from './share-table.ts'

export interface Federation {
  readonly name: string
  readonly shared: ShareTable
  readonly filename?: string
  readonly exposes?: Record<string, { import: string; name: string }>
}

/**
 * Module federation of a published build. Containers and share scope are the bundler's own: the shell's loader does what
 * a federation runtime would do besides, so none is on the page (docs/decisions/0019).
 */
export const federation = (own: Federation) => new container.ModuleFederationPluginV1(own)

/**
 * The same with the federation runtime, so that its developer tools show a site in development.
 * @param asyncStartup for an entry that imports shared modules directly: they load first
 */
export const developmentFederation = (own: Federation, asyncStartup = false) =>
  new ModuleFederationPlugin({
    ...own,
    shareStrategy: 'loaded-first',
    dts: false,
    manifest: false,
    experiments: { asyncStartup, optimization: { target: 'web' } },
  })
