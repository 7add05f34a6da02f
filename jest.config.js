/** One project a package, by the preset that its package.json names: `web` (jsdom) or `node`; `api` has its own. */
export default {
  projects: [
    '<rootDir>/{api,build,deploy,shared,shell,tools}',
    '<rootDir>/mf-*',
    '<rootDir>/templates/remote',
  ],
  // As in the presets, of which Jest ignores this one here.
  testTimeout: 30_000,
}
