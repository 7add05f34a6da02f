// TESTS: a pattern of the package's tests; absent: those that import the changed file.
const { TESTS } = process.env

export default {
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  jest: {
    projectType: 'custom',
    enableFindRelatedTests: !TESTS,
    config: TESTS ? { testMatch: [`<rootDir>/${TESTS}`] } : {},
  },
  testRunnerNodeArgs: ['--experimental-vm-modules', '--no-warnings'],
  tsconfigFile: 'none',
  tempDirName: '.mutants',
  ignorePatterns: ['dist', '.cache'],
  coverageAnalysis: 'off',
  concurrency: 2,
  timeoutMS: 20_000,
  reporters: ['clear-text'],
  thresholds: { high: 95, low: 90, break: 90 },
}
