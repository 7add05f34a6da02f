import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findBrowser, isShell } from '@anniversary/deploy/checks/find-browser'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'

/** Flags for a browser that runs as root and finds no network but ours. */
export const BROWSER_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The headless shell hints letters fully by default, so lines would break elsewhere than in a member's browser.
  '--font-render-hinting=slight',
]

/** An installed one, or Playwright's own. */
function find(whole: boolean): string | undefined {
  const asked = process.env.CHROMIUM_PATH
  if (asked && !existsSync(asked)) throw new Error(`CHROMIUM_PATH is ${asked}, and nothing is there`)
  return findBrowser({ whole }) ?? [chromium.executablePath()].find(existsSync)
}

/**
 * Path of a Chromium, installing one where there is none: Debian's as root, Playwright's otherwise.
 * @param options.whole not the headless shell, which tests use where it is or can be had
 * @throws Error that says what to do
 */
export function requireBrowser(say: (line: string) => void, { whole = false } = {}): string {
  const found = find(whole)
  const debian = isRootOnDebian()
  if (found && (whole || isShell(found) || !debian || process.env.CHROMIUM_PATH)) return found
  const name = whole ? 'chromium' : 'chromium-headless-shell'
  run(debian ? installFromDebian(name) : ['npx playwright install chromium'], (command) =>
    say(`No ${name} found: ${command}`),
  )
  const now = find(whole)
  if (!now) throw new Error('Could not install Chromium: install one and set CHROMIUM_PATH to it')
  return now
}

/** Starts the whole browser, not the headless shell. */
export const launchWhole = (options: LaunchOptions = {}): Promise<Browser> =>
  chromium.launch({
    executablePath: requireBrowser(console.log, { whole: true }),
    ...options,
    args: [...BROWSER_ARGS, ...(options.args ?? [])],
  })

export const isRootOnDebian = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

export const installFromDebian = (packages: string) => ['apt-get update', `apt-get install -y ${packages}`]

/** Runs the commands until one fails. */
export function run(commands: readonly string[], say: (command: string) => void): void {
  for (const command of commands) {
    say(command)
    const [program = '', ...args] = command.split(' ')
    const { status } = spawnSync(program, args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    if (status !== 0) return
  }
}
