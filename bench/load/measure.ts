import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test'
import type { Metric } from 'web-vitals'

/**
 * One load of a page. Times in milliseconds from navigation; sizes in bytes as
 * transferred (compressed, with headers).
 */
export interface Load {
  /** When `until` was visible. */
  readonly painted: number
  /**
   * From when on no input is lost: typed text stays, and a click is kept or
   * handled.
   */
  readonly accepts: number
  /** When the app handles input: a form's submit works. */
  readonly answers: number
  readonly lcp: number
  readonly cls: number
  /**
   * Time of the page's main thread until it was idle, with the slowed-down CPU.
   */
  readonly cpu: number
  /**
   * Interaction to next paint (INP) of the page, until it is left; NaN without
   * any interaction.
   */
  readonly inp: number
  /** From the click that `use` makes to what it waits for; NaN without one. */
  readonly press: number
  readonly html: number
  readonly js: number
  readonly css: number
  readonly images: number
  readonly bytes: number
}

export interface LoadOptions {
  /** Selector of the element that must be visible. */
  readonly until: string
  readonly viewport?: { readonly width: number; readonly height: number }
  /** Runs before the page is requested. */
  prepare?(context: BrowserContext): Promise<unknown>
  use?(page: Page): Promise<void>
}

/** 1.6 Mbps, 150 ms: the design's slow 4G. */
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
}
const CPU_SLOWDOWN = 4
const SETTLE_MS = 2500
const TELL_MS = 500
const TIMEOUT_MS = 30_000
const NOT_MEASURED = {
  painted: Number.NaN,
  accepts: Number.NaN,
  answers: Number.NaN,
  lcp: Number.NaN,
  // A page whose layout never shifts tells none.
  cls: 0,
  inp: Number.NaN,
  press: Number.NaN,
}

const WEB_VITALS = readFileSync(
  new URL('web-vitals.iife.js', import.meta.resolve('web-vitals')),
  'utf8',
)
declare const webVitals: typeof import('web-vitals')

type PageTimes = Pick<Load, 'painted' | 'accepts' | 'answers' | 'lcp' | 'cls' | 'inp' | 'press'>
/**
 * Tells this process some of the times, as JSON: they outlive the page, which
 * `use` may leave.
 */
declare const benchNote: (times: string) => void

function watchPage(until: string): void {
  if (window !== top) return
  const noted = new Set<string>()
  const note = ({ name, value }: Pick<Metric, 'value'> & { readonly name: string }) =>
    benchNote(JSON.stringify({ [name.toLowerCase()]: value }))
  for (const observe of [webVitals.onLCP, webVitals.onCLS, webVitals.onINP])
    observe(note, { reportAllChanges: true, durationThreshold: 16 })
  // The callbacks of a frame run before its paint, so the next frame's callback
  // runs after it.
  const mark = (moment: 'painted' | 'accepts' | 'answers') =>
    requestAnimationFrame(() => {
      if (!noted.has(moment)) note({ name: moment, value: performance.now() })
      noted.add(moment)
    })
  const look = () => {
    const field = document.querySelector(until)
    if (
      field &&
      field.getClientRects().length > 0 &&
      getComputedStyle(field).visibility === 'visible'
    ) {
      mark('painted')
      // React handles the element's events, if need be by finishing hydration
      // first. A page without code never does.
      const isHandled =
        Object.keys(field).some((key) => key.startsWith('__reactProps')) ||
        !document.querySelector('script[src]')
      // Until then the page's inline script keeps clicks on a remote's HTML
      // (shell/src/first-load/first-script.ts).
      if (isHandled || field.closest('[data-prerendered*="/"]')) mark('accepts')
      if (isHandled) mark('answers')
    }
    if (!noted.has('answers')) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/**
 * Notes the type and the transferred bytes of each file that the page loads.
 */
async function watchTraffic(session: CDPSession) {
  const loaded: { type: string; bytes: number }[] = []
  const types = new Map<string, string>()
  session.on('Network.requestWillBeSent', ({ requestId, type = 'Other' }) =>
    types.set(requestId, type),
  )
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength: bytes }) => {
    loaded.push({ type: types.get(requestId) ?? 'Other', bytes })
  })
  await session.send('Network.enable')
  return loaded
}

/**
 * Loads a page in a new context, so that nothing is cached.
 * @throws when the page writes an error to its console
 */
export async function measureLoad(
  browser: Browser,
  url: string,
  options: LoadOptions,
): Promise<Load> {
  const { until, viewport = { width: 390, height: 844 } } = options
  const context = await browser.newContext({ viewport, deviceScaleFactor: 2 })
  try {
    await options.prepare?.(context)
    const page = await context.newPage()
    const errors: string[] = []
    page.on('pageerror', ({ message }) => errors.push(message))
    page.on('crash', () => errors.push('the page crashed'))
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`)
    })
    const session = await context.newCDPSession(page)
    const loaded = await watchTraffic(session)
    await session.send('Network.emulateNetworkConditions', NETWORK)
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    // Thread time, so that other processes do not count.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    // tsx compiles functions with a helper that the page does not have.
    await page.addInitScript('globalThis.__name = (named) => named')
    await page.addInitScript(`${WEB_VITALS};globalThis.webVitals = webVitals`)
    await page.addInitScript(watchPage, until)
    await session.send('Runtime.enable')
    await session.send('Runtime.addBinding', { name: 'benchNote' })
    const times: PageTimes = { ...NOT_MEASURED }
    let measured: number | undefined
    // `waitForFunction` would take a tenth of a second of the page before its
    // first paint.
    const answers = new Promise((resolve) =>
      session.on('Runtime.bindingCalled', ({ executionContextId, payload }) => {
        measured ??= executionContextId
        if (executionContextId === measured) Object.assign(times, JSON.parse(payload))
        if (times.answers > 0) resolve(true)
      }),
    )
    await page.goto(url, { waitUntil: 'commit', timeout: TIMEOUT_MS })
    const isInTime = await Promise.race([
      answers,
      page.waitForTimeout(TIMEOUT_MS).then(() => false),
    ])
    if (!isInTime) {
      const text = await page.textContent('#root')
      throw new Error(`${url} does not answer: ${[...errors, text?.slice(0, 200)].join('; ')}`)
    }
    // The typeface and the ornament come later, take time, and may shift the
    // layout.
    await page.waitForTimeout(SETTLE_MS)
    const { metrics } = await session.send('Performance.getMetrics')
    // Before `use`, which may load more.
    const size = (wanted = '') =>
      loaded.reduce((sum, { type, bytes }) => (type.includes(wanted) ? sum + bytes : sum), 0)
    const sizes = {
      html: size('Document'),
      js: size('Script'),
      css: size('Stylesheet'),
      images: size('Image'),
      bytes: size(),
    }
    await options.use?.(page)
    // The browser tells of a press in a later task.
    if (options.use) await page.waitForTimeout(TELL_MS)
    if (errors.length > 0) throw new Error(`${url}: ${[...new Set(errors)].join('; ')}`)
    return {
      ...times,
      cpu: (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000,
      ...sizes,
    }
  } finally {
    await context.close()
  }
}
