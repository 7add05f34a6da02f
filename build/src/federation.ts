import { existsSync } from 'node:fs'
import path from 'node:path'
import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack'
import type { ExternalItemFunctionData } from '@rspack/core'
import { folderOf } from './packages.ts'

type Options = ConstructorParameters<typeof ModuleFederationPlugin>[0]

/** The shared package whose version host and remotes must agree on besides React's. */
export const RUNTIME = '@module-federation/runtime'

interface Federation extends Pick<Options, 'name' | 'shared' | 'filename' | 'exposes'> {
  readonly development?: boolean
}

/** Module federation as all our builds use it. */
export const federation = ({ development = false, ...own }: Federation) =>
  new ModuleFederationPlugin({
    ...own,
    shareStrategy: 'loaded-first',
    dts: false,
    manifest: false,
    experiments: {
      // The page has one runtime core, from the shell's `core` script.
      externalRuntime: !development,
      // The harness imports the pages directly; its shared modules load asynchronously all the same.
      asyncStartup: development,
      // The shell loads remotes by its own loader.
      optimization: { disableSnapshot: true, target: 'web', disableRemote: true },
    },
  })

/**
 * Takes the runtime layers above the core from the shell's `core` script, as `experiments.externalRuntime` does for the
 * core itself. This halves a remote's entry.
 */
export function sharedRuntime(
  { request = '' }: ExternalItemFunctionData,
  callback: (error?: null, result?: string, type?: 'global') => void,
): void {
  if (/@module-federation[\\/]webpack-bundler-runtime/.test(request))
    callback(null, '_FEDERATION_BUNDLER_RUNTIME', 'global')
  else callback()
}

/**
 * The plugin resolves its runtime by require() and may get the CommonJS build, which cannot be tree-shaken.
 * @throws when an update has moved the ES modules
 */
export function runtimeAlias(): Record<string, string> {
  const inFolder = (name: string, file: string) => path.join(folderOf(name), 'dist', file)
  return Object.fromEntries(
    ['@module-federation/webpack-bundler-runtime', RUNTIME].map((name) => {
      const esm = inFolder(name, 'index.js')
      if (!existsSync(esm)) throw new Error(`${name} has no ${esm} any more: see build/src/federation.ts`)
      return [inFolder(name, 'index.cjs'), esm]
    }),
  )
}
