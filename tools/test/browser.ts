import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findBrowser } from '@anniversary/deploy/checks/find-browser'
import { chromium } from 'playwright-core'

/** Flags for a browser that runs as root and finds no network but ours. */
export const BROWSER_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** An installed one, or Playwright's own. */
function find(): string | undefined {
  const asked = process.env.CHROMIUM_PATH
  if (asked && !existsSync(asked)) throw new Error(`CHROMIUM_PATH is ${asked}, and nothing is there`)
  return findBrowser() ?? [chromium.executablePath()].find(existsSync)
}

/**
 * Path of a Chromium, installing one where there is none: Debian's as root, Playwright's otherwise.
 * @throws Error that says what to do
 */
export function requireBrowser(say: (line: string) => void): string {
  const found = find()
  if (found) return found
  run(isRootOnDebian() ? installFromDebian('chromium') : ['npx playwright install chromium'], (command) =>
    say(`No Chromium found: ${command}`),
  )
  const now = find()
  if (!now) throw new Error('Could not install Chromium: install one and set CHROMIUM_PATH to it')
  return now
}

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
