import { activated } from './activated.ts'

/** Of a page that Chromium renders before the press; jsdom has neither. */
function renderedAhead() {
  Object.assign(document, { prerendering: true })
  let paint = () => {}
  class Observer {
    constructor(told: () => void) {
      paint = told
    }
    observe() {}
  }
  Object.assign(globalThis, { PerformanceObserver: Observer })
  return () => paint()
}
const press = () => document.dispatchEvent(new Event('prerenderingchange'))

async function hasStarted(starting: Promise<void>): Promise<boolean> {
  let started = false
  void starting.then(() => {
    started = true
  })
  await jest.advanceTimersByTimeAsync(0)
  return started
}

beforeEach(() => jest.useFakeTimers())
afterEach(() => Reflect.deleteProperty(document, 'prerendering'))

test('a page that somebody looks at starts at once', async () => {
  expect(await hasStarted(activated())).toBe(true)
})

test('a page that is rendered before the press starts after the paint that follows it', async () => {
  const paint = renderedAhead()
  const starting = activated()
  await jest.advanceTimersByTimeAsync(60_000)
  expect(await hasStarted(starting)).toBe(false)
  press()
  await jest.advanceTimersByTimeAsync(500)
  expect(await hasStarted(starting)).toBe(false)
  paint()
  expect(await hasStarted(starting)).toBe(true)
})

test('… and where no paint is told, a second after the press', async () => {
  renderedAhead()
  const starting = activated()
  press()
  await jest.advanceTimersByTimeAsync(1000)
  expect(await hasStarted(starting)).toBe(true)
})
