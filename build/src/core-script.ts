import type { Configuration } from '@rspack/core'
import type { BaseConfig } from './base.ts'

/** The loader as a script of its own, before the host's. */
export const core = (config: BaseConfig) =>
  ({ ...config, name: 'core', entry: { core: './src/loader/core.ts' } }) satisfies Configuration
