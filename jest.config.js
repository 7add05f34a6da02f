import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { swc, web } from './shared/src/testing/jest-web.js'

/** Jest projects: `web` runs in jsdom, `node` and `api` in Node. `npm test` runs all; see README. */
const root = import.meta.dirname
const remotes = readdirSync(root).filter((name) => name.startsWith('mf-'))

const node = {
  displayName: 'node',
  testEnvironment: 'node',
  roots: ['<rootDir>/build', '<rootDir>/deploy', '<rootDir>/tools', '<rootDir>/bench'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: { '\\.tsx?$': swc('es6') },
}

export default {
  projects: [
    web(['shell', 'shared', ...remotes].map((name) => join(root, name, 'src'))),
    node,
    '<rootDir>/api',
  ],
  testTimeout: 30_000,
}
