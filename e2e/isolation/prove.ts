import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { requireBrowser } from '../src/find-browser.ts'
import { ROOT } from '../src/stack.ts'

const HELP = `npm run prove:isolation [-- PLAYWRIGHT OPTIONS]

Runs the whole fault matrix: every file of every remote failing in every way, hosts and networks that go and come back,
and published code that misbehaves; real servers, real builds, a real Chromium. Prints the matrix as a table.

  -- -g "mf-auth"     only the cells whose names match
  -- --workers 4      more at once (default 3; each has a stack of its own)`

if (process.argv.includes('--help')) {
  console.log(HELP)
  process.exit(0)
}
const playwright = join(ROOT, 'node_modules/@playwright/test/cli.js')
const reporter = join(import.meta.dirname, 'matrix-reporter.ts')
const { status } = spawnSync(
  process.execPath,
  [
    playwright,
    'test',
    '-c',
    join(ROOT, 'e2e/playwright.config.ts'),
    'e2e/isolation',
    '--workers=3',
    `--reporter=${reporter}`,
    ...process.argv.slice(2),
  ],
  {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ISOLATION: 'whole', CHROMIUM_PATH: requireBrowser(console.log) },
  },
)
process.exit(status ?? 1)
