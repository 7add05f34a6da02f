import { swc } from './swc.js'
import './clean-environment.js'

export default {
  displayName: 'node',
  testEnvironment: 'node',
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/.cache/'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: { '\\.tsx?$': swc('es6') },
  // Only for a test that hangs, so that a busy machine fails none.
  testTimeout: 900_000,
}
