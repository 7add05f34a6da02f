import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack'
import type { Compiler, RspackPluginInstance } from '@rspack/core'
import { ownStartUp } from './own-start-up.ts'
import { installedVersion } from './packages.ts'

/** All teams must upgrade these together. */
const SHARED = ['react', 'react-dom']

export const sharedVersions = (): Record<string, string> =>
  Object.fromEntries(SHARED.map((name) => [name, installedVersion(name)]))

/** The installed minor, whose API a remote may use, and later ones. */
export const sharedRanges = (): Record<string, string> =>
  Object.fromEntries(
    SHARED.map((name) => [name, `^${installedVersion(name).replace(/\.\d+$/, '.0')}`]),
  )

const mapped = <From, To>(
  table: Readonly<Record<string, From>>,
  to: (value: From, key: string) => To,
) => Object.fromEntries(Object.entries(table).map(([key, value]) => [key, to(value, key)]))

/** The manifest finds an expose's files by its chunk's name. */
export const chunkNameOf = (expose: string): string => expose.slice(2)

interface Container {
  readonly name: string
  readonly filename: string
  readonly exposes: Readonly<Record<string, string>>
}

/** Our small runtime replaces upstream's (docs/decisions/0003). */
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
