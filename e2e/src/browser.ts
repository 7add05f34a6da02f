import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findBrowser } from '@anniversary/deploy/browser/find-browser'
import { type Browser, chromium, type LaunchOptions } from '@playwright/test'

// Every browser inherits it, so that no page looks different because of the
// machine's fonts.
process.env.FONTCONFIG_FILE = join(import.meta.dirname, 'fonts.conf')

/** Flags for a browser that runs as root without internet access. */
export const BROWSER_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The headless shell hints letters fully by default, so lines would break
  // differently than in a member's browser.
  '--font-render-hinting=slight',
]

/**
 * Returns the path of a Chromium; downloads Playwright's where there is none.
 * @param whole the browser with a window, not the headless shell that tests
 * prefer
 * @throws Error with the next step
 */
export function requireBrowser(whole = false): string {
  const { CHROMIUM_PATH: asked } = process.env
  if (asked && !existsSync(asked)) throw new Error(`CHROMIUM_PATH names no file: ${asked}`)
  const find = () => findBrowser({ whole }) ?? [chromium.executablePath()].find(existsSync)
  if (!find()) spawnSync('npx', ['playwright', 'install', 'chromium'], { stdio: 'inherit' })
  const found = find()
  if (found) return found
  throw new Error('No Chromium, nor could one be downloaded: set CHROMIUM_PATH to one')
}

/** Starts a Chromium without Playwright's options for tests. */
export const launchChromium = ({
  whole = false,
  ...options
}: LaunchOptions & { whole?: boolean } = {}): Promise<Browser> =>
  chromium.launch({
    executablePath: requireBrowser(whole),
    ...options,
    args: [...BROWSER_ARGS, ...(options.args ?? [])],
  })

export const ENGINES = ['chromium', 'firefox', 'webkit'] as const
export type Engine = (typeof ENGINES)[number]

/** The first is started. */
const PROGRAMS = { firefox: ['firefox-esr'], webkit: ['WebKitWebDriver', 'Xvfb'] }

/**
 * Returns the path of an engine's program; undefined where it is not installed
 * (tools/require-programs.sh).
 */
export function findEngine(engine: keyof typeof PROGRAMS): string | undefined {
  // Fails where one is missing.
  const { status, stdout } = spawnSync('which', PROGRAMS[engine], { encoding: 'utf8' })
  return status === 0 ? stdout.split('\n')[0] : undefined
}
