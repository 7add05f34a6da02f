import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test'

/** One load of a page. Times in milliseconds from navigation; sizes in bytes as transferred (compressed, with headers). */
export interface Load {
  /** When `until` could be seen. */
  readonly painted: number
  /** From when on nothing is lost: text that is typed stays, and a press is kept or answered. */
  readonly accepts: number
  /** When the app handled it: a form's submit works. */
  readonly answers: number
  readonly lcp: number
  readonly cls: number
  /** Time that the page's main thread computed, slowed down, until it was quiet. */
  readonly cpu: number
  /** Longest answer to a press or key, from the event to the next paint (the INP of this visit); 0 without any. */
  readonly inp: number
  /** From the press on a button that `use` presses to what it waits for; NaN without one. */
  readonly press: number
  readonly html: number
  readonly js: number
  readonly css: number
  readonly images: number
  readonly bytes: number
  readonly scripts: Readonly<Record<string, number>>
}

export interface LoadOptions {
  /** What must be seen for the page to count as there. */
  readonly until: string
  readonly viewport?: { readonly width: number; readonly height: number }
  /** Runs before the page is asked for. */
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
const TIMEOUT_MS = 30_000

type PageTimes = Pick<Load, 'painted' | 'accepts' | 'answers' | 'lcp' | 'cls' | 'inp' | 'press'>
declare const benchTimes: PageTimes
/** Tells this process that the page answers. */
declare const benchAnswers: (nothing: '') => void

function watchPage(until: string): void {
  const never = {
    painted: Infinity,
    accepts: Infinity,
    answers: Infinity,
    lcp: Number.NaN,
    press: Number.NaN,
  }
  const times = { ...never, cls: 0, inp: 0 }
  Object.assign(window, { benchTimes: times })
  const observe = (type: string, seen: (entry: PerformanceEntry) => void, options = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(seen)).observe({
      type,
      buffered: true,
      ...options,
    })
  observe('largest-contentful-paint', (entry) => {
    times.lcp = entry.startTime
  })
  observe('layout-shift', (entry) => {
    const shift = entry as PerformanceEntry & { value: number; hadRecentInput: boolean } // not in lib.dom
    if (!shift.hadRecentInput) times.cls += shift.value
  })
  observe(
    'event',
    (entry) => {
      const { interactionId } = entry as PerformanceEntry & { interactionId: number } // not in lib.dom
      if (interactionId > 0) times.inp = Math.max(times.inp, entry.duration)
    },
    { durationThreshold: 16 },
  )
  // A frame's callbacks run before its paint; those of the next one run after it.
  const mark = (moment: 'painted' | 'accepts' | 'answers') =>
    requestAnimationFrame(() => {
      times[moment] = Math.min(times[moment], performance.now())
    })
  const look = () => {
    const field = document.querySelector(until)
    if (field && field.getClientRects().length > 0 && getComputedStyle(field).visibility === 'visible') {
      mark('painted')
      // React has taken the element over: it handles its events, if need be by finishing hydration first.
      // A page without code has nothing to wait for.
      const isHandled =
        Object.keys(field).some((key) => key.startsWith('__reactProps')) ||
        !document.querySelector('script[src]')
      // Until then the page's inline script keeps what is pressed on a remote's HTML (shell/src/first-script.ts).
      if (isHandled || field.closest('[data-prerendered*="/"]')) mark('accepts')
      if (isHandled) mark('answers')
    }
    if (times.answers === Infinity) requestAnimationFrame(look)
    else benchAnswers('')
  }
  requestAnimationFrame(look)
}

interface Traffic {
  sizes: Record<string, number>
  scripts: Record<string, number>
}

async function watchTraffic(session: CDPSession): Promise<Traffic> {
  const traffic: Traffic = { sizes: {}, scripts: {} }
  const requests = new Map<string, { type: string; path: string }>()
  session.on('Network.requestWillBeSent', ({ requestId, request, type = 'Other' }) => {
    requests.set(requestId, { type, path: new URL(request.url).pathname })
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const { type, path } = requests.get(requestId) ?? { type: 'Other', path: '' }
    traffic.sizes[type] = (traffic.sizes[type] ?? 0) + encodedDataLength
    if (type === 'Script') traffic.scripts[path] = encodedDataLength
  })
  await session.send('Network.enable')
  return traffic
}

/**
 * Loads a page in a new context, so that nothing is cached.
 * @throws when the page writes an error to its console: what does not work has no speed
 */
export async function measureLoad(browser: Browser, url: string, options: LoadOptions): Promise<Load> {
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
    const traffic = await watchTraffic(session)
    await session.send('Network.emulateNetworkConditions', NETWORK)
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    // Of the thread, not of the clock: other processes do not count.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    // tsx compiles functions with a helper of its own, which the page does not have.
    await page.addInitScript('globalThis.__name = (named) => named')
    await page.addInitScript(watchPage, until)
    await session.send('Runtime.enable')
    await session.send('Runtime.addBinding', { name: 'benchAnswers' })
    // Not `waitForFunction`: what it evaluates in the page takes a tenth of a second before the first paint.
    const answers = new Promise((resolve) => session.once('Runtime.bindingCalled', resolve))
    await page.goto(url, { waitUntil: 'commit', timeout: TIMEOUT_MS })
    const inTime = Promise.race([answers.then(() => true), page.waitForTimeout(TIMEOUT_MS).then(() => false)])
    if (!(await inTime.catch(() => false))) {
      const text = await page.textContent('#root').catch(() => '')
      if (!browser.isConnected()) errors.push('the browser has gone')
      throw new Error(`${url} does not answer: ${[...new Set(errors), text?.slice(0, 200)].join('; ')}`)
    }
    // The typeface and the ornament come later, cost time, and may move what is there.
    await page.waitForTimeout(SETTLE_MS)
    const { metrics } = await session.send('Performance.getMetrics')
    // What a member then does may load more; bytes are those of the page as it came.
    const size = (type: string) => traffic.sizes[type] ?? 0
    const sizes = {
      html: size('Document'),
      js: size('Script'),
      css: size('Stylesheet'),
      images: size('Image'),
      bytes: Object.values(traffic.sizes).reduce((sum, bytes) => sum + bytes, 0),
      scripts: { ...traffic.scripts },
    }
    await options.use?.(page)
    if (errors.length > 0) throw new Error(`${url}: ${[...new Set(errors)].join('; ')}`)
    return {
      ...(await page.evaluate(() => benchTimes)),
      cpu: (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000,
      ...sizes,
    }
  } finally {
    await context.close()
  }
}
