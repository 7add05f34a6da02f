import { type Configuration, DefinePlugin } from '@rspack/core'
import type { BaseConfig } from './base.ts'

/** The federation runtime as a script of its own: host and remotes take it from there. */
export const core = (config: BaseConfig) =>
  ({
    ...config,
    name: 'core',
    entry: { core: './src/loader/core.ts' },
    // ModuleFederationPlugin defines these in the other builds: the same parts of the runtime are left out here.
    plugins: [
      new DefinePlugin({
        FEDERATION_OPTIMIZE_NO_SNAPSHOT_PLUGIN: true,
        FEDERATION_OPTIMIZE_NO_REMOTE: true,
        ENV_TARGET: '"web"',
      }),
    ],
  }) satisfies Configuration
