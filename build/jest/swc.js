/**
 * How Jest compiles TypeScript.
 * @param {'commonjs' | 'es6'} module CommonJS for the browser's code in jsdom, ES modules for what runs in Node
 */
export const swc = (module) => [
  '@swc/jest',
  {
    jsc: {
      parser: { syntax: 'typescript', tsx: true },
      // JSON is imported with its type.
      experimental: { keepImportAttributes: true },
      transform: { react: { runtime: 'automatic' } },
    },
    module: { type: module },
  },
]
