import { swc } from './swc.js'

/** Jest preset for what runs in Node, as ES modules: start Jest by `node --experimental-vm-modules`. */
export default {
  displayName: 'node',
  testEnvironment: 'node',
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/.cache/'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: { '\\.tsx?$': swc('es6') },
  // Only ends a test that hangs: a busy machine makes none red.
  testTimeout: 900_000,
}
