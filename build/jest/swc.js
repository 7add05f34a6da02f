/** @param {'commonjs' | 'es6'} module CommonJS for jsdom, ES modules for Node */
export const swc = (module) => [
  '@swc/jest',
  {
    jsc: {
      parser: { syntax: 'typescript', tsx: true },
      experimental: { keepImportAttributes: true },
      transform: { react: { runtime: 'automatic' } },
    },
    module: { type: module },
  },
]
