import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

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

/** Path of a Chromium: `CHROMIUM_PATH`, an installed one, or Playwright's own. */
export function findBrowser(): string | undefined {
  const asked = process.env.CHROMIUM_PATH
  if (asked) {
    if (!existsSync(asked)) throw new Error(`CHROMIUM_PATH is ${asked}, and nothing is there`)
    return asked
  }
  const folders = (process.env.PATH ?? '').split(delimiter)
  const installed = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync)
  if (installed) return installed
  const own = chromium.executablePath()
  return existsSync(own) ? own : undefined
}

/**
 * Path of a Chromium, installing one where there is none: Debian's as root, Playwright's otherwise.
 * @throws Error that says what to do
 */
export function requireBrowser(say: (line: string) => void): string {
  const found = findBrowser()
  if (found) return found
  const asRootOnDebian = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  const commands = asRootOnDebian
    ? ['apt-get update', 'apt-get install -y chromium']
    : ['npx playwright install chromium']
  for (const command of commands) {
    say(`No Chromium found: ${command}`)
    const [program = '', ...args] = command.split(' ')
    const { status } = spawnSync(program, args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    if (status !== 0) break
  }
  const now = findBrowser()
  if (!now) throw new Error('Could not install Chromium: install one and set CHROMIUM_PATH to it')
  return now
}
