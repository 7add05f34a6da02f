import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// TESTS: a pattern of the package's tests; absent: those that import the changed file.
const { TESTS } = process.env

const { jest } = JSON.parse(readFileSync('package.json', 'utf8'))
const jsdom = new URL('../../build/jest/jsdom-environment.ts', import.meta.url)

export default {
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  jest: {
    projectType: 'custom',
    enableFindRelatedTests: !TESTS,
    config: {
      // Stryker extends it, but does not look into presets.
      testEnvironment: jest?.preset?.endsWith('/web') ? fileURLToPath(jsdom) : 'node',
      ...(TESTS ? { testMatch: [`<rootDir>/${TESTS}`] } : {}),
    },
  },
  testRunnerNodeArgs: ['--experimental-vm-modules', '--no-warnings'],
  tsconfigFile: 'none',
  tempDirName: '.mutants',
  ignorePatterns: ['dist', '.cache'],
  // Runs the tests that reach a change, and ends endless loops at once.
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 10_000,
  reporters: ['clear-text'],
  thresholds: { high: 95, low: 90, break: 90 },
}
