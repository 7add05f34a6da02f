import path from 'node:path'
import { type Configuration, rspack } from '@rspack/core'
import embed from '../../mf-megalive/embed.rspack.config.js'

const dir = import.meta.dirname
const OUT = path.join(dir, 'dist')

/** Built as the embed's own script is, but for JSX. */
const bundle = (name: string, entry: string, more: Configuration = {}): Configuration => ({
  ...embed,
  name,
  context: dir,
  entry: { [name]: entry },
  output: { path: OUT, filename: '[name].js', iife: true },
  resolve: { extensions: ['.tsx', '.ts', '.js'] },
  module: {
    rules: embed.module.rules.map((rule) => ({
      ...rule,
      options: {
        ...rule.options,
        jsc: {
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic' } },
        },
      },
    })),
  },
  ...more,
})

/** Builds the embed in React, and what the npm package adds to a page that has React. Resolves with their files. */
export function buildBundles(): Promise<{ reactScript: string; npmReact: string }> {
  const compiler = rspack([
    bundle('react-script', './react-script.tsx'),
    bundle('npm-react', './npm-react.ts', { externals: { react: 'React' } }),
  ])
  return new Promise((resolve, reject) =>
    compiler.run((error, stats) => {
      if (error || stats?.hasErrors()) reject(error ?? new Error(stats?.toString('errors-only')))
      else
        resolve({ reactScript: path.join(OUT, 'react-script.js'), npmReact: path.join(OUT, 'npm-react.js') })
    }),
  )
}
