import { activated } from './activated.ts'

/** A page that Chromium renders before the press; jsdom knows neither that nor paints. */
function rendersAhead() {
  let tellPaint = () => {}
  class Observer {
    constructor(told: () => void) {
      tellPaint = told
    }
    observe() {}
  }
  Object.assign(globalThis, { PerformanceObserver: Observer })
  Object.assign(document, { prerendering: true })
  let started = false
  void activated().then(() => {
    started = true
  })
  return {
    hasStarted: async (ms: number) => {
      await jest.advanceTimersByTimeAsync(ms)
      return started
    },
    press: () => document.dispatchEvent(new Event('prerenderingchange')),
    paint: () => tellPaint(),
  }
}

beforeEach(() => jest.useFakeTimers())
afterEach(() => Reflect.deleteProperty(document, 'prerendering'))

test('a page that is rendered before the press starts after the paint that follows it', async () => {
  document.body.innerHTML = '<p class="no-code">Trang tải lâu hơn bình thường.</p>'
  const page = rendersAhead()
  expect(await page.hasStarted(60_000)).toBe(false)
  // Its code is not late.
  expect(document.body).toBeEmptyDOMElement()
  page.press()
  expect(await page.hasStarted(500)).toBe(false)
  page.paint()
  expect(await page.hasStarted(0)).toBe(true)
})

test('… and where no paint is told, a second after the press', async () => {
  const page = rendersAhead()
  page.press()
  expect(await page.hasStarted(1000)).toBe(true)
})
