import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack'
import type { Compiler, RspackPluginInstance } from '@rspack/core'
import { ownStartUp } from './own-start-up.ts'
import { installedVersion } from './packages.ts'

/** The modules that host and remotes share. Four teams must upgrade each of them together. */
const SHARED = ['react', 'react-dom']

export const sharedVersions = (): Record<string, string> =>
  Object.fromEntries(SHARED.map((name) => [name, installedVersion(name)]))

/** What a remote works with: the installed minor, whose API it may use, and later ones of its major. */
export const sharedRanges = (): Record<string, string> =>
  Object.fromEntries(
    SHARED.map((name) => [name, `^${installedVersion(name).replace(/\.\d+$/, '.0')}`]),
  )

const mapped = <From, To>(
  table: Readonly<Record<string, From>>,
  to: (value: From, key: string) => To,
) => Object.fromEntries(Object.entries(table).map(([key, value]) => [key, to(value, key)]))

/** Each expose's chunk is named after it, so that the manifest finds its files. */
export const chunkNameOf = (expose: string): string => expose.slice(2)

interface Container {
  readonly name: string
  readonly filename: string
  readonly exposes: Readonly<Record<string, string>>
}

/** The container of a remote, with our small runtime in place of upstream's (docs/decisions/0003). */
export const federatedContainer = ({ exposes, ...own }: Container): RspackPluginInstance => ({
  apply(compiler: Compiler) {
    new ModuleFederationPlugin({
      ...own,
      exposes: mapped(exposes, (file, expose) => ({ import: file, name: chunkNameOf(expose) })),
      shared: mapped(sharedRanges(), (requiredVersion) => ({
        singleton: true,
        strictVersion: true,
        import: false as const,
        requiredVersion,
      })),
      shareStrategy: 'loaded-first',
      dts: false,
      manifest: false,
      experiments: { optimization: { target: 'web' } },
    }).apply(compiler)
    ownStartUp.apply(compiler)
  },
})
