import { swc } from './swc.js'
import './clean-environment.js'

export default {
  displayName: 'node',
  testEnvironment: 'node',
  // `.mutants` has the copies of an interrupted run of `prove -- mutants`.
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/.cache/', '<rootDir>/.mutants/'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: { '\\.tsx?$': swc('es6') },
  // Only for a test that hangs, so that a busy machine fails none.
  testTimeout: 900_000,
}
