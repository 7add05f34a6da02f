import { writeFile } from 'node:fs/promises'
import { freePorts } from '@anniversary/shared/testing/free-ports'
import { type Browser, expect, test, type ViewportSize } from '@playwright/test'
import { type Browser as FirefoxBrowser, firefox } from 'playwright-firefox-esr'
import { type Engine, findEngine, launchChromium } from '../src/browser.ts'
import { startProcess } from '../src/process.ts'
import { ROOT } from '../src/stack.ts'
import { type Driver, until } from './driver.ts'

export const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } }

/**
 * Runs a test in an engine. Skips it where the engine is not installed; a
 * pipeline fails.
 */
export async function inEngine(
  engine: Engine,
  size: ViewportSize,
  run: (driver: Driver) => Promise<void>,
): Promise<void> {
  const driver = await startBrowser(engine, size)
  test.info().skip(!driver && !process.env.CI, `${engine} is not installed`)
  if (!driver) throw new Error(`${engine} is not installed`)
  await withDriver(driver, size, run)
}

/**
 * Runs a test in a browser that has started, and stops it. A failure leaves a
 * picture.
 */
export async function withDriver(
  driver: Driver,
  size: ViewportSize,
  run: (driver: Driver) => Promise<void>,
): Promise<void> {
  try {
    await expect
      .poll(() => driver.evaluate(() => innerWidth), 'width of the window')
      .toBe(size.width)
    await run(driver)
  } catch (error) {
    const picture = await driver.screenshot().catch(() => undefined)
    if (picture) await writeFile(test.info().outputPath('failed.png'), picture)
    throw error
  } finally {
    await driver.stop()
  }
}

async function startBrowser(engine: Engine, size: ViewportSize): Promise<Driver | undefined> {
  // The whole browser, as members have it, is only installed for the nightly
  // tests.
  if (engine === 'chromium')
    return drive(await launchChromium({ whole: Boolean(process.env.NIGHTLY) }), size)
  const program = findEngine(engine)
  if (program)
    return engine === 'webkit'
      ? startWebKit(program, size)
      : drive(await startFirefox(program), size)
}

const callOf = (run: (...args: never[]) => unknown, args: readonly unknown[]): string =>
  `(${run})(...${JSON.stringify(args)})`

/**
 * Starts Firefox over WebDriver BiDi. Playwright 1.65 itself calls a command
 * that Firefox ESR 153 does not have.
 */
const startFirefox = (executablePath: string) =>
  firefox.launch({
    executablePath,
    channel: 'moz-firefox',
    firefoxUserPrefs: {
      // Frames of other sites in processes of their own get no input.
      'fission.autostart': false,
      // Software draws its frames, usually 60 a second.
      'layout.frame_rate': 10,
      // Scrollbars of phones take no width.
      'ui.useOverlayScrollbars': 1,
      'dom.disable_open_during_load': false,
      // It asks Mozilla's servers when it starts; all names lead to this machine.
      'network.dns.forceResolve': '127.0.0.1',
      'network.dns.native_https_query': false,
    },
  })

export async function drive(
  browser: Browser | FirefoxBrowser,
  viewport: ViewportSize,
): Promise<Driver> {
  const page = await browser.newPage({ viewport, locale: 'vi-VN', timezoneId: 'Asia/Ho_Chi_Minh' })
  return {
    async goto(url) {
      const visit = async () => void (await page.goto(url, { waitUntil: 'commit' }))
      // A page that reloads itself at this moment begins the visit anew.
      await visit().catch((error: unknown) => {
        if (!/interrupted by another navigation/.test(String(error))) throw error
        return visit()
      })
    },
    evaluate: (run, ...args) => page.evaluate(callOf(run, args)),
    click: (x, y) => page.mouse.click(x, y),
    type: (text) => page.keyboard.type(text),
    press: (keys) => page.keyboard.press(keys),
    screenshot: () => page.screenshot(),
    stop: () => browser.close(),
  }
}

const KEYS: Readonly<Record<string, string>> = {
  Escape: '\uE00C',
  Backspace: '\uE003',
  Control: '\uE009',
}

/** A new window of WebKit has lost the visit that came at once. */
const LOST_VISIT_MS = 30_000

/**
 * Starts WebKitGTK by its own WebDriver, which has the classic protocol only
 * (https://www.w3.org/TR/webdriver2/).
 */
async function startWebKit(program: string, { width, height }: ViewportSize): Promise<Driver> {
  const screen = await startProcess(
    ['Xvfb', '-displayfd', '1', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'],
    { cwd: ROOT, ready: /^(\d+)\n/m },
  )
  const [port] = await freePorts(1)
  // It prints nothing when it is ready.
  const server = await startProcess(['sh', '-c', `echo started; exec ${program} -p ${port}`], {
    cwd: ROOT,
    env: {
      DISPLAY: `:${screen.ready[0]}`,
      TZ: 'Asia/Ho_Chi_Minh',
      // Software would compose each frame from its layers.
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
      // The sandbox does not start as root.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    },
    ready: /started/,
  })

  /** A command with a body is a POST. */
  async function call<Result>(command: string, body?: object): Promise<Result> {
    const init = body && { method: 'POST', body: JSON.stringify(body) }
    const response = await fetch(`http://127.0.0.1:${port}/${command}`, init)
    const { value } = (await response.json()) as { value: never } // as the protocol defines it
    const { error, message } = (value ?? {}) as { error?: string; message?: string } // of a failed command
    if (error) throw new Error(`${command}: ${error}: ${message}`)
    return value
  }

  await until('WebKitWebDriver is ready', () => call<object>('status'))
  const options = { args: ['--automation', '--javascript-can-open-windows-automatically=true'] }
  const alwaysMatch = { pageLoadStrategy: 'none', 'webkitgtk:browserOptions': options }
  const { sessionId } = await call<{ sessionId: string }>('session', {
    capabilities: { alwaysMatch },
  })
  const session = `session/${sessionId}`
  const execute = <Result>(script: string) =>
    call<Result>(`${session}/execute/sync`, { script, args: [] })
  const act = (source: object) => call<void>(`${session}/actions`, { actions: [source] })
  const strike = (chords: readonly (readonly string[])[]) => {
    const actions = chords.flatMap((chord) => [
      ...chord.map((value) => ({ type: 'keyDown', value })),
      ...chord.map((value) => ({ type: 'keyUp', value })).reverse(),
    ])
    return act({ type: 'key', id: 'keyboard', actions })
  }

  // WebKit's own windows are never narrower than 447 pixels; popups are.
  const features = `popup,width=${width},height=${height},toolbar=no,menubar=no,location=no,status=no`
  const main = await call<string>(`${session}/window`)
  await execute(`window.open('about:blank', 'popup', '${features}')`)
  // The handles are in no order.
  const handle = await until('the popup', async () => {
    const handles = await call<string[]>(`${session}/window/handles`)
    return handles.find((one) => one !== main) ?? null
  })
  await call(`${session}/window`, { handle })

  return {
    async goto(url) {
      await execute('window.isLeft = true')
      const isThere = () => execute<boolean>('return !window.isLeft')
      const visit = async () => {
        await call(`${session}/url`, { url })
        return until(`another page: ${url}`, isThere, LOST_VISIT_MS).catch(() => false)
      }
      await until(`a visit of ${url}`, visit, 0)
    },
    evaluate: (run, ...args) => execute(`return ${callOf(run, args)}`),
    click(x, y) {
      const actions = [
        { type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]
      return act({ type: 'pointer', id: 'mouse', actions })
    },
    type: (text) => strike([...text].map((character) => [character])),
    press: (keys) => strike([keys.split('+').map((key) => KEYS[key] ?? key)]),
    screenshot: async () => Buffer.from(await call<string>(`${session}/screenshot`), 'base64'),
    async stop() {
      // The browser ends with its screen.
      await screen.stop()
      await server.stop()
    },
  }
}
