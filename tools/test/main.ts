import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { requireBrowser } from '@anniversary/e2e/find-browser'

/**
 * `npm test`: every check of the repository, one after the other, with a total that a person and a CI can read.
 * Jest and Playwright count their own tests; any other step counts as one.
 */

const root = resolve(import.meta.dirname, '../..')
const results = join(root, 'test-results')

const USAGE = `Usage: npm test [-- STEP…]

Runs all steps, or only those named:
STEPS
Exit code 0 when all passed, 1 when something failed, 2 for an unknown step.`

interface Step {
  readonly name: string
  readonly about: string
  readonly command: readonly string[]
  /** Where the step counts its own tests. */
  readonly counts?: 'jest' | 'playwright'
  readonly env?: Record<string, string>
  /** Runs only when it is named. */
  readonly onDemand?: boolean
}

const jest = (project: string): readonly string[] => [
  'node',
  '--experimental-vm-modules',
  '--no-warnings',
  'node_modules/jest/bin/jest.js',
  '--selectProjects',
  project,
  '--silent=false',
  // Jest leaves a core free for a person; here nobody waits for it.
  '--maxWorkers=100%',
  '--json',
  `--outputFile=${join(results, `${project}.json`)}`,
]

const playwright = [
  'node',
  'node_modules/@playwright/test/cli.js',
  'test',
  '-c',
  'e2e/playwright.config.ts',
] as const

const steps: readonly Step[] = [
  { name: 'types', about: 'tsc on every package', command: ['npm', 'run', 'types', '--silent'] },
  {
    name: 'lint',
    about: 'Biome: format, rules, arrows between packages',
    command: ['npm', 'run', 'lint', '--silent'],
  },
  {
    name: 'web',
    about: 'components and logic of shell, remotes, shared',
    command: jest('web'),
    counts: 'jest',
  },
  { name: 'node', about: 'deploy tool and guards of the repository', command: jest('node'), counts: 'jest' },
  { name: 'api', about: 'API on PGlite and on a real Postgres', command: jest('api'), counts: 'jest' },
  {
    name: 'build',
    about: 'production build of shell and remotes',
    command: ['npm', 'run', 'build', '--silent'],
  },
  {
    name: 'e2e',
    about: 'the real stack in a real Chromium',
    command: playwright,
    counts: 'playwright',
  },
  {
    name: 'outside',
    about: 'a remote in a repository of its own (on demand; installs packages)',
    command: [...playwright, 'outside'],
    counts: 'playwright',
    env: { SLOW: '1', PLAYWRIGHT_JSON_OUTPUT_NAME: join(results, 'outside.json') },
    onDemand: true,
  },
]

interface Count {
  passed: number
  failed: number
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(join(results, `${file}.json`), 'utf8'))

/** A run that died before it could count is one failure. */
function countOf(step: Step, ok: boolean): Count {
  if (!step.counts) return ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
  try {
    const { passed, failed } = step.counts === 'jest' ? jestCount(step.name) : playwrightCount(step.name)
    return { passed, failed: ok ? failed : Math.max(failed, 1) }
  } catch {
    return { passed: 0, failed: 1 }
  }
}

function jestCount(name: string): Count {
  // The shape of Jest's --json output.
  const report = readJson(name) as {
    numPassedTests: number
    numFailedTests: number
    numRuntimeErrorTestSuites: number
  }
  return { passed: report.numPassedTests, failed: report.numFailedTests + report.numRuntimeErrorTestSuites }
}

function playwrightCount(name: string): Count {
  // The shape of Playwright's JSON reporter.
  const { stats } = readJson(name) as { stats: { expected: number; unexpected: number; flaky: number } }
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected }
}

let running: ChildProcess | undefined
const run = (step: Step, browser: string | undefined): Promise<boolean> =>
  new Promise((resolveRun) => {
    const [program = '', ...args] = step.command
    running = spawn(program, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...(browser && { CHROMIUM_PATH: browser }), ...step.env },
    })
    running.on('error', () => resolveRun(false))
    running.on('exit', (code) => resolveRun(code === 0))
  })

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    running?.kill(signal)
    process.exit(130)
  })
}

const asked = process.argv.slice(2)
const usage = USAGE.replace(
  'STEPS',
  steps.map(({ name, about }) => `  ${name.padEnd(6)} ${about}`).join('\n'),
)
if (asked.includes('--help') || asked.includes('-h')) {
  console.log(usage)
  process.exit(0)
}
const unknown = asked.filter((name) => !steps.some((step) => step.name === name))
if (unknown.length > 0) {
  console.error(`Unknown step: ${unknown.join(', ')}\n\n${usage}`)
  process.exit(2)
}

rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })

const chosen = steps.filter(({ name, onDemand }) => (asked.length === 0 ? !onDemand : asked.includes(name)))
const needsBrowser = chosen.some(({ counts }) => counts === 'playwright')
const browser = needsBrowser ? requireBrowser(console.log) : undefined

const total: Count = { passed: 0, failed: 0 }
const lines: string[] = []
for (const [index, step] of chosen.entries()) {
  console.log(`\n[${index + 1}/${chosen.length}] ${step.name}: ${step.about}`)
  const began = Date.now()
  const ok = await run(step, browser)
  const { passed, failed } = countOf(step, ok)
  total.passed += passed
  total.failed += failed
  const seconds = ((Date.now() - began) / 1000).toFixed(1)
  lines.push(
    `${ok ? 'ok  ' : 'FAIL'} ${step.name.padEnd(6)} ${String(passed).padStart(4)} passed ${seconds.padStart(6)} s`,
  )
}

console.log(`\n${lines.join('\n')}\n\n${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 ? 0 : 1)
