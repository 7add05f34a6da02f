import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack'
import { container, sharing } from '@rspack/core'
import { hostShareTable, type RemoteShareTable } from './share-table.ts'

/** The host offers its modules and imports them directly. Remotes are loaded by a loader of its own. */
export const hostSharing = () => new sharing.ProvideSharedPlugin({ provides: hostShareTable() })

export interface Container {
  /** Of the global that holds it. */
  readonly name: string
  readonly filename: string
  readonly shared: RemoteShareTable
  readonly exposes: Record<string, { import: string; name: string }>
}

/**
 * The container of a published remote. It is the bundler's own: the shell's loader does what a federation runtime would
 * do besides, so none is on the page (docs/decisions/0019).
 */
export const publishedContainer = (own: Container) => new container.ModuleFederationPluginV1(own)

/**
 * The same with the federation runtime, so that its developer tools show a site in development.
 * @param asyncStartup for an entry that imports shared modules directly: they load first
 */
export const developmentContainer = (own: Container, asyncStartup = false) =>
  new ModuleFederationPlugin({
    ...own,
    shareStrategy: 'loaded-first',
    dts: false,
    manifest: false,
    experiments: { asyncStartup, optimization: { target: 'web' } },
  })
