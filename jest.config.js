import { readFileSync } from 'node:fs'

const manifestOf = (folder) =>
  JSON.parse(readFileSync(new URL(`${folder}/package.json`, import.meta.url), 'utf8'))
const folders = [...manifestOf('.').workspaces, 'tools/new-remote/templates/remote']

/** One project a package, by the preset that its package.json names: `web` (jsdom) or `node`; `api` has its own. */
export default {
  projects: folders
    .filter((folder) => manifestOf(folder).scripts?.test?.includes('jest'))
    .map((folder) => `<rootDir>/${folder}`),
  reporters: ['default', '<rootDir>/build/jest/shares.js'],
  // As in the presets, of which Jest ignores this one here.
  testTimeout: 900_000,
}
