/** The API's tests: Node, ES modules, a real Postgres. Run by the root's `jest --selectProjects api`. */
export default {
  preset: '@anniversary/build/node',
  displayName: 'api',
  roots: ['<rootDir>/src', '<rootDir>/test', '<rootDir>/prove'],
  globalSetup: '<rootDir>/test/global-setup.js',
  globalTeardown: '<rootDir>/test/global-teardown.js',
}
