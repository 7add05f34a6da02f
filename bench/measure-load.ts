import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test'

/** One cold load of a page. Times in milliseconds from navigation; sizes in bytes as transferred (compressed). */
export interface Load {
  /** Until `until` can be seen. */
  readonly form: number
  /** Until the remote's own code has rendered the page; NaN where nothing marks it. */
  readonly answers: number
  readonly lcp: number
  readonly fcp: number
  /** Cumulative layout shift. */
  readonly cls: number
  readonly requests: number
  /** Longest chain of requests of which each was caused by the one before; the document is the first. */
  readonly levels: number
  readonly js: number
  readonly css: number
  readonly images: number
  readonly bytes: number
  /** Longest answer to a press or key, from the event to the next paint (the INP of this visit); 0 without any. */
  readonly inp: number
  /** Bytes of each script, by its path. */
  readonly scripts: Readonly<Record<string, number>>
}

export interface LoadOptions {
  /** What must be seen for the page to count as there. */
  readonly until?: string
  readonly viewport?: { readonly width: number; readonly height: number }
  /** Runs before the page is asked for: to log in. */
  prepare?(context: BrowserContext): Promise<void>
  /** What a member then does. */
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
const SETTLE_MS = 1500

interface PageTimes {
  form?: number
  lcp?: number
  fcp?: number
  cls: number
  inp: number
}

/** Runs in the page before anything else. */
function watchPage(until: string): void {
  const times: PageTimes = { cls: 0, inp: 0 }
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
  observe('paint', (entry) => {
    if (entry.name === 'first-contentful-paint') times.fcp = entry.startTime
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
  const look = () => {
    const field = document.querySelector(until)
    if (field && field.getClientRects().length > 0 && getComputedStyle(field).visibility === 'visible') {
      // This frame's callback runs before its paint; the next one's runs after it.
      requestAnimationFrame(() => {
        times.form = performance.now()
      })
      return
    }
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

interface Traffic {
  requests: number
  levels: number
  sizes: Record<string, number>
  scripts: Record<string, number>
}

/** Counts requests by what caused them. */
async function watchTraffic(session: CDPSession): Promise<Traffic> {
  const traffic: Traffic = { requests: 0, levels: 0, sizes: {}, scripts: {} }
  const levelOf = new Map<string, number>()
  const typeOf = new Map<string, string>()
  const pathOf = new Map<string, string>()
  session.on('Network.requestWillBeSent', ({ requestId, request, initiator, type = 'Other' }) => {
    if (request.url.startsWith('data:')) return
    let stack = initiator.stack
    while (stack && stack.callFrames.length === 0 && stack.parent) stack = stack.parent
    const causes = [initiator.url, ...(stack?.callFrames.map(({ url }) => url) ?? [])]
    const level = 1 + Math.max(0, ...causes.map((url) => levelOf.get(url ?? '') ?? 0))
    levelOf.set(request.url, Math.max(level, levelOf.get(request.url) ?? 0))
    typeOf.set(requestId, type)
    pathOf.set(requestId, new URL(request.url).pathname)
    traffic.requests += 1
    traffic.levels = Math.max(traffic.levels, level)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const type = typeOf.get(requestId) ?? 'Other'
    traffic.sizes[type] = (traffic.sizes[type] ?? 0) + encodedDataLength
    if (type === 'Script') traffic.scripts[pathOf.get(requestId) ?? ''] = encodedDataLength
  })
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', NETWORK)
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  return traffic
}

/** Loads a page in a new context, so that nothing is cached. */
export async function measureLoad(browser: Browser, url: string, options: LoadOptions = {}): Promise<Load> {
  const { until = 'form input', viewport = { width: 390, height: 844 } } = options
  const context = await browser.newContext({ viewport, deviceScaleFactor: 2 })
  try {
    await options.prepare?.(context)
    const page = await context.newPage()
    const traffic = await watchTraffic(await context.newCDPSession(page))
    // tsx compiles functions with a helper of its own, which the page does not have.
    await page.addInitScript('globalThis.__name = (named) => named')
    await page.addInitScript(watchPage, until)
    await page.goto(url, { waitUntil: 'load' })
    await page.waitForFunction(
      () => 'form' in ((window as never as { benchTimes: PageTimes }).benchTimes ?? {}),
    )
    await page.waitForTimeout(SETTLE_MS)
    // What a member then does may load more; bytes are those of the page as it came.
    const size = (type: string) => traffic.sizes[type] ?? 0
    const sizes = {
      requests: traffic.requests,
      levels: traffic.levels,
      js: size('Script'),
      css: size('Stylesheet'),
      images: size('Image'),
      bytes: Object.values(traffic.sizes).reduce((sum, bytes) => sum + bytes, 0),
      scripts: { ...traffic.scripts },
    }
    await options.use?.(page)
    const times = await page.evaluate(() => (window as never as { benchTimes: PageTimes }).benchTimes)
    const answers = await page.evaluate(
      () =>
        performance.getEntriesByType('mark').find(({ name }) => /^remote:.*:shown$/.test(name))?.startTime,
    )
    return {
      form: times.form ?? Number.NaN,
      answers: answers ?? Number.NaN,
      lcp: times.lcp ?? Number.NaN,
      fcp: times.fcp ?? Number.NaN,
      cls: times.cls,
      inp: times.inp,
      ...sizes,
    }
  } finally {
    await context.close()
  }
}
