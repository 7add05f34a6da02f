import { type Configuration, rspack } from '@rspack/core'

/**
 * Builds once.
 * @throws Error with the build's errors
 */
export const compile = (config: Configuration): Promise<void> =>
  new Promise((resolve, reject) => {
    rspack(config, (error, stats) => {
      if (error || stats?.hasErrors()) reject(error ?? new Error(stats?.toString('errors-only')))
      else resolve()
    })
  })
