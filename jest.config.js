import { readdirSync } from 'node:fs'

/** Jest projects: `web` runs in jsdom, `node` and `api` in Node. `npm test` runs all; see README. */
const swc = (module) => [
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

const remotes = readdirSync(import.meta.dirname).filter((name) => name.startsWith('mf-'))

const web = {
  displayName: 'web',
  testEnvironment: '<rootDir>/shared/src/testing/jsdom-environment.js',
  roots: ['shell', 'shared', ...remotes].map((name) => `<rootDir>/${name}/src`),
  setupFilesAfterEnv: ['<rootDir>/shared/src/testing/setup-web.ts'],
  moduleNameMapper: {
    '\\.module\\.css$': '<rootDir>/shared/src/testing/css-module.cjs',
    '\\.css$': '<rootDir>/shared/src/testing/empty.cjs',
    '\\.(svg|woff2|png|webp)$': '<rootDir>/shared/src/testing/asset.cjs',
  },
  transform: { '\\.(t|j)sx?$': swc('commonjs') },
  // zustand, axios and the router ship CommonJS for Node; nothing else needs transforming.
  transformIgnorePatterns: ['/node_modules/'],
}

const node = {
  displayName: 'node',
  testEnvironment: 'node',
  roots: ['<rootDir>/deploy', '<rootDir>/docs', '<rootDir>/bench', '<rootDir>/e2e/repository'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: { '\\.tsx?$': swc('es6') },
}

export default { projects: [web, node, '<rootDir>/api'], testTimeout: 30_000 }
