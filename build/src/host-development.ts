import path from 'node:path'
import type { Configuration } from '@rspack/core'
import { ReactRefreshRspackPlugin } from '@rspack/plugin-react-refresh'
import { base } from './base.ts'
import { core } from './core-script.ts'
import { developmentPath } from './env.ts'
import { hostSharing } from './federation.ts'
import { nameOf } from './packages.ts'

/** Configs of the shell in the site of `npm run dev`: the same two scripts as a published one's, with hot reload. */
export function developmentHost(dir: string): Configuration[] {
  const name = nameOf(dir)
  const publicPath = developmentPath(name)
  const script = core(base({ dir, development: true, prefix: name }))
  const config = base({ dir, development: true, refresh: true, prefix: name })
  return [
    {
      ...script,
      // The hook is for React, so it comes before all that bundles React.
      entry: {
        ...script.entry,
        core: [path.join(import.meta.dirname, 'devtools-hook.ts'), script.entry.core],
      },
      output: { ...script.output, publicPath, uniqueName: `${name}-core` },
    },
    {
      ...config,
      name: 'main',
      entry: { main: './src/main.tsx' },
      output: { ...config.output, publicPath },
      plugins: [hostSharing(), new ReactRefreshRspackPlugin()],
    },
  ]
}
