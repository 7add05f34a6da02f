import { publicConfigSchema } from '@anniversary/shared/contract/config'
import { PRERENDERED } from '@anniversary/shared/contract/prerendered'
import { fakeComposition } from '@anniversary/shared/testing/fake-release'
import { act } from '@testing-library/react'
import type { Loader } from '../loader/loader.ts'
import { pageComposition } from '../loader/page-composition.ts'
import { startFirstPage, waitForActivation } from './first-page.tsx'
import { renderSkeletons } from './skeletons.tsx'

describe('a page that the browser renders ahead', () => {
  let tellPaint: () => void
  let hasStarted: boolean
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms)
  const press = () => document.dispatchEvent(new Event('prerenderingchange'))

  /**
   * A page that Chromium renders before the press; jsdom knows neither that nor
   * paints.
   */
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
    document.body.innerHTML = '<p class="late-code">Trang tải lâu hơn bình thường.</p>'
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
})

describe('the HTML of the landing page', () => {
  // What the first page uses of a loader: no remote is loaded.
  const loader = {
    config: publicConfigSchema.parse({}),
    composition: pageComposition(fakeComposition(), () => undefined),
    pages: {},
    reports: { send: jest.fn(), add: jest.fn() },
  } as unknown as Loader

  test.each([
    ['kept where the host rendered it', '', true],
    ['replaced where a remote rendered it', '/mf-x/1/entry.js', false],
  ])('is %s', async (_, renderedBy, isKept) => {
    window.scrollTo = () => undefined
    history.replaceState(null, '', '/')
    document.body.innerHTML = `<p class="late-code"></p><div id="root" ${PRERENDERED}="${renderedBy}">${renderSkeletons()['/']}</div>`
    const root = document.body.lastElementChild as HTMLElement // just written
    const main = root.querySelector('main')
    await act(() => startFirstPage(loader, root))
    expect(root.querySelector('main') === main).toBe(isKept)
    expect(root).not.toHaveAttribute(PRERENDERED)
    expect(document.querySelector('.late-code')).toBeNull()
    expect(loader.reports.send).not.toHaveBeenCalled()
  })
})
