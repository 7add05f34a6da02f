import { waitForActivation } from './first-page.tsx'

let tellPaint: () => void
let hasStarted: boolean
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms)
const press = () => document.dispatchEvent(new Event('prerenderingchange'))

/** A page that Chromium renders before the press; jsdom knows neither that nor paints. */
beforeEach(() => {
  jest.useFakeTimers()
  class Observer {
    constructor(told: () => void) {
      tellPaint = told
    }
    observe() {}
  }
  Object.assign(globalThis, { PerformanceObserver: Observer })
  Object.assign(document, { prerendering: true })
  document.body.innerHTML = '<p class="no-code">Trang tải lâu hơn bình thường.</p>'
  hasStarted = false
  void waitForActivation().then(() => {
    hasStarted = true
  })
})

test('a prerendered page starts after its first paint', async () => {
  await pass(60_000)
  expect(hasStarted).toBe(false)
  // Its code is not late.
  expect(document.body).toBeEmptyDOMElement()
  press()
  await pass(500)
  expect(hasStarted).toBe(false)
  tellPaint()
  await pass(0)
  expect(hasStarted).toBe(true)
})

test('a prerendered page without paint entries starts a second after the click', async () => {
  press()
  await pass(1000)
  expect(hasStarted).toBe(true)
})
