import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findBrowser, isShell } from '@anniversary/deploy/browser/find-browser'
import { type Browser, chromium, type LaunchOptions } from '@playwright/test'

/** Flags for a browser that runs as root without internet access. */
export const BROWSER_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The headless shell hints letters fully by default, so lines would break differently than in a member's browser.
  '--font-render-hinting=slight',
]

/**
 * Returns the path of a Chromium. Where there is none, root on Debian installs Debian's, anybody else Playwright's.
 * @param whole the browser with a window, not the headless shell that tests prefer
 * @throws Error with the next step
 */
export function requireBrowser(whole = false): string {
  const find = () => findBrowser({ whole }) ?? [chromium.executablePath()].find(existsSync)
  const found = find()
  if (found && (whole || isShell(found) || !isRootOnDebian() || process.env.CHROMIUM_PATH)) return found
  if (isRootOnDebian()) installFromDebian(whole ? 'chromium' : 'chromium-headless-shell')
  else spawnSync('npx', ['playwright', 'install', 'chromium'], { stdio: 'inherit' })
  const now = find()
  if (!now) throw new Error('No Chromium, nor could one be installed: set CHROMIUM_PATH to one')
  return now
}

/** Starts the browser with a window, not the headless shell. */
export const launchWhole = (options: LaunchOptions = {}): Promise<Browser> =>
  chromium.launch({
    executablePath: requireBrowser(true),
    ...options,
    args: [...BROWSER_ARGS, ...(options.args ?? [])],
  })

export const ENGINES = ['chromium', 'firefox', 'webkit'] as const
export type Engine = (typeof ENGINES)[number]

/** Debian's packages and their programs; the first program is started. */
const NEEDS = {
  firefox: { packages: 'firefox-esr', programs: ['firefox-esr'] },
  webkit: { packages: 'webkit2gtk-driver xvfb xauth', programs: ['WebKitWebDriver', 'Xvfb'] },
}

/** Returns the path of an engine's program, which root on Debian installs; undefined where it is not available. */
export function findEngine(engine: keyof typeof NEEDS): string | undefined {
  const { packages, programs } = NEEDS[engine]
  /** Fails where one is missing. */
  const find = () => spawnSync('which', programs, { encoding: 'utf8' })
  if (find().status !== 0 && isRootOnDebian()) installFromDebian(packages)
  const { status, stdout } = find()
  return status === 0 ? stdout.split('\n')[0] : undefined
}

const isRootOnDebian = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

/** Waits for apt's lock, since another worker may be installing too. */
function installFromDebian(packages: string): void {
  console.log(`Installing ${packages}`)
  const command = `apt-get update; apt-get -o DPkg::Lock::Timeout=120 install -y --no-install-recommends ${packages}`
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('sh', ['-c', command], { stdio: ['ignore', 'ignore', 'inherit'], env })
}
