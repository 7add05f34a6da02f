import { swc } from './swc.js'

// Who exports these publishes to a real site, or needs another Postgres: tests must not.
for (const name of Object.keys(process.env))
  if (/^(DEPLOY_(?!ROUNDS$)|PG)/.test(name)) delete process.env[name]

export default {
  displayName: 'node',
  testEnvironment: 'node',
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/.cache/'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: { '\\.tsx?$': swc('es6') },
  // Only for a test that hangs, so that a busy machine fails none.
  testTimeout: 900_000,
}
