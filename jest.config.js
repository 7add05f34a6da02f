import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

const manifestOf = (folder) =>
  JSON.parse(readFileSync(new URL(`${folder}/package.json`, import.meta.url), 'utf8'))
const folders = [...manifestOf('.').workspaces, 'tools/new-remote/templates/remote']

/** One project a package, by the preset that its package.json names: `web` (jsdom) or `node`; `api` has its own. */
export default {
  projects: folders
    .filter((folder) => manifestOf(folder).scripts?.test?.includes('jest'))
    .map((folder) => `<rootDir>/${folder}`),
  // Half of the time, a test waits for a disk, a database or another program.
  maxWorkers: 2 * availableParallelism(),
  reporters: ['default', '<rootDir>/build/jest/shares.js'],
  // As in the presets, of which Jest ignores this one here.
  testTimeout: 900_000,
}
