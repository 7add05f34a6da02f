import path from 'node:path'
import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack'
import {
  type Compiler,
  NormalModuleReplacementPlugin,
  type RspackPluginInstance,
  sharing,
} from '@rspack/core'
import { installedVersion } from './packages.ts'

/** The modules that host and remotes share. Four teams must upgrade each of them together. */
const SHARED = ['react', 'react-dom']
/** Shared in development: React announces itself to the first refresh runtime of a page, and only that one refreshes. */
const REFRESH = 'react-refresh/runtime'

export const sharedVersions = (): Record<string, string> =>
  Object.fromEntries(SHARED.map((name) => [name, installedVersion(name)]))

/** What a remote works with: the installed minor, whose API it may use, and later ones of its major. */
export const sharedRanges = (): Record<string, string> =>
  Object.fromEntries(SHARED.map((name) => [name, `^${installedVersion(name).replace(/\.\d+$/, '.0')}`]))

const refreshVersion = () => installedVersion('react-refresh')

const mapped = <From, To>(table: Readonly<Record<string, From>>, to: (value: From, key: string) => To) =>
  Object.fromEntries(Object.entries(table).map(([key, value]) => [key, to(value, key)]))

/**
 * The host offers its modules and imports them directly; its own loader loads the remotes. It has the only copy, so that no
 * remote's deploy can change React for the others.
 */
export const hostSharing = (refresh = false): RspackPluginInstance =>
  new sharing.ProvideSharedPlugin({
    provides: mapped(
      { ...sharedVersions(), ...(refresh && { [REFRESH]: refreshVersion() }) },
      (version, shareKey) => ({ shareKey, version, eager: true }),
    ),
  })

/** Each expose's chunk is named after it, so that the manifest finds its files. */
export const chunkNameOf = (expose: string): string => expose.slice(2)

interface Container {
  readonly name: string
  readonly filename: string
  readonly exposes: Readonly<Record<string, string>>
  readonly refresh?: boolean
}

/** The container of a remote, with our small runtime in place of upstream's (docs/decisions/0003). */
export const federatedContainer = ({ exposes, refresh, ...own }: Container): RspackPluginInstance => ({
  apply(compiler: Compiler) {
    new ModuleFederationPlugin({
      ...own,
      exposes: mapped(exposes, (file, expose) => ({ import: file, name: chunkNameOf(expose) })),
      shared: mapped(
        { ...sharedRanges(), ...(refresh && { [REFRESH]: `^${refreshVersion()}` }) },
        (requiredVersion) => ({
          singleton: true,
          strictVersion: true,
          import: false as const,
          requiredVersion,
        }),
      ),
      shareStrategy: 'loaded-first',
      dts: false,
      manifest: false,
      experiments: { optimization: { target: 'web' } },
    }).apply(compiler)
    new NormalModuleReplacementPlugin(/webpack-bundler-runtime/, useOwnStartUp).apply(compiler)
  },
})

/** Replaces the plugin's start-up code, which imports upstream's runtime by its path, by an import of ours. */
function useOwnStartUp(module: { request: string }): void {
  module.request = module.request.includes('data:')
    ? 'data:text/javascript,import%20%22webpack-bundler-runtime%22'
    : path.join(import.meta.dirname, 'start-up.ts')
}
