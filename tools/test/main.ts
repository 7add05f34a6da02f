import { type ChildProcess, spawn } from 'node:child_process'
import { Argument, Command } from 'commander'
import { ROOT } from '../packages.ts'
import { requireBrowser } from './browser.ts'

/** `npm test`: every check of the repository, one after the other, then a line for each. */

interface Step {
  readonly about: string
  readonly command: readonly string[]
}

const npm = (script: string) => ['npm', 'run', script, '--silent']
// Jest's default leaves a core free for other work.
const jest = 'node --experimental-vm-modules --no-warnings node_modules/jest/bin/jest.js --maxWorkers=100%'
const playwright = 'node node_modules/@playwright/test/cli.js test -c e2e/playwright.config.ts'

const steps: Readonly<Record<string, Step>> = {
  types: { about: 'tsc on every package', command: npm('types') },
  lint: { about: 'Biome: format, rules, arrows between packages', command: npm('lint') },
  jest: { about: 'every package, the API on a real Postgres', command: jest.split(' ') },
  build: { about: 'production build of shell and remotes', command: npm('build') },
  e2e: {
    about: 'the real stack in Chromium, a short walk in Firefox and WebKit',
    command: playwright.split(' '),
  },
}

const { args: asked } = new Command('npm test --')
  .description('Runs every check of the repository, or only the steps that are named.')
  .addArgument(new Argument('[step...]').choices(Object.keys(steps)))
  .addHelpText(
    'after',
    `\nSteps:\n${Object.entries(steps)
      .map(([name, { about }]) => `  ${name.padEnd(7)} ${about}`)
      .join('\n')}`,
  )
  .parse()

let running: ChildProcess | undefined
const run = ([program = '', ...args]: Step['command']): Promise<boolean> =>
  new Promise((done) => {
    running = spawn(program, args, { cwd: ROOT, stdio: 'inherit' })
    running.on('error', () => done(false))
    running.on('exit', (code) => done(code === 0))
  })

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    running?.kill(signal)
    process.exit(130)
  })
}

const chosen = Object.entries(steps).filter(([name]) => asked.length === 0 || asked.includes(name))
// Installed before the first step, so that a machine where it cannot be had says so at once.
if (chosen.some(([name]) => name === 'e2e')) process.env.CHROMIUM_PATH = requireBrowser(console.log)

const summary: string[] = []
for (const [index, [name, { about, command }]] of chosen.entries()) {
  console.log(`\n[${index + 1}/${chosen.length}] ${name}: ${about}`)
  const began = Date.now()
  const passed = await run(command)
  const seconds = ((Date.now() - began) / 1000).toFixed(1)
  summary.push(`${passed ? 'ok  ' : 'FAIL'} ${name.padEnd(7)} ${seconds.padStart(6)} s`)
}

const failed = summary.filter((line) => line.startsWith('FAIL')).length
console.log(
  `\n${summary.join('\n')}\n\n${failed === 0 ? 'All steps passed' : `${failed} of ${chosen.length} steps failed`}`,
)
process.exit(failed === 0 ? 0 : 1)
