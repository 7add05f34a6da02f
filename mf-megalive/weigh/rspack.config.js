import path from 'node:path'
import embed from '../embed.rspack.config.js'

const dir = import.meta.dirname

const one = (name, entry, more = {}) => ({
  ...embed,
  name,
  context: dir,
  entry: { [name]: entry },
  output: { path: path.join(dir, 'dist'), filename: '[name].js', iife: true },
  resolve: { extensions: ['.tsx', '.ts', '.js'] },
  module: {
    rules: [
      {
        ...embed.module.rules[0],
        options: {
          ...embed.module.rules[0].options,
          jsc: {
            parser: { syntax: 'typescript', tsx: true },
            transform: { react: { runtime: 'automatic' } },
          },
        },
      },
    ],
  },
  ...more,
})

/** What is weighed: the script tag, the same in React, and what the npm package adds to a page that has React. */
export default [
  one('script', '../src/script.ts'),
  one('react-script', './react-script.tsx'),
  one('npm-react', './npm-react.ts', { externals: { react: 'React' } }),
]
