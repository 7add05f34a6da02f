import { join } from 'node:path'

const here = import.meta.dirname

/** How Jest compiles TypeScript: to CommonJS where it is the browser's, to ES modules where Node runs it. */
export const swc = (module) => [
  '@swc/jest',
  {
    jsc: {
      parser: { syntax: 'typescript', tsx: true },
      target: 'es2022',
      transform: { react: { runtime: 'automatic' } },
    },
    module: { type: module },
  },
]

/**
 * Jest project for components and logic of the browser, in jsdom.
 * @param {string[]} roots folders to look for tests in
 */
export const web = (roots) => ({
  displayName: 'web',
  testEnvironment: join(here, 'jsdom-environment.js'),
  roots,
  setupFilesAfterEnv: [join(here, 'setup-web.ts')],
  moduleNameMapper: {
    '\\.module\\.css$': join(here, 'css-module.cjs'),
    '\\.css$': join(here, 'empty.cjs'),
    '\\.(svg|woff2|png|webp)$': join(here, 'asset.cjs'),
  },
  transform: { '\\.(t|j)sx?$': swc('commonjs') },
  // zustand, axios and the router ship CommonJS for Node. Ours is TypeScript, also when it is installed.
  transformIgnorePatterns: ['/node_modules/(?!@anniversary/)'],
})
