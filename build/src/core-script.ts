import type { Configuration } from '@rspack/core'
import type { BaseConfig } from './base.ts'

/** The scripts of their own, before the host's: one inline in each page, and the loader. */
export const core = (config: BaseConfig) =>
  ({
    ...config,
    name: 'core',
    entry: { first: './src/first-script.ts', core: './src/loader/core.ts' },
  }) satisfies Configuration
