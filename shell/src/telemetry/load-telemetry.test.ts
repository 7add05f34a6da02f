import { publicConfigSchema } from '@anniversary/shared/contract/config'
import { waitFor } from '@testing-library/dom'
import { keepCodeFailures } from '../loader/code-failures.ts'
import type { Loader } from '../loader/loader.ts'
import { loadTelemetry } from './load-telemetry.ts'

const observed: string[] = []
/** Entries that the browser has not handed over yet. */
const entries: object[] = []
/**
 * A page as the core script hands it over, in a browser whose observers are
 * called later than these tests end.
 */
function setUp(config: Record<string, string>) {
  observed.length = 0
  Object.assign(globalThis, {
    PerformanceObserver: class {
      static readonly supportedEntryTypes: readonly string[] = ['mark', 'largest-contentful-paint']
      observe = ({ type }: { type: string }) => observed.push(type)
      takeRecords = () => entries.splice(0)
    },
  })
  const sent: unknown[] = []
  const failures = keepCodeFailures()
  const loader = {
    config: publicConfigSchema.parse(config),
    pages: { state: () => ({ status: 'loading' }), subscribe: () => () => undefined },
    composition: {
      number: 1,
      shell: '1',
      routes: { now: () => ({ '/x': { title: '', remote: { name: 'mf-x', expose: './Page' } } }) },
      release: () => ({ version: '2' }),
      ownerOf: () => undefined,
    },
    reports: { ...failures, send: (failure: unknown) => sent.push(failure) },
  }
  // The parts of a loader that the telemetry uses.
  loadTelemetry(loader as unknown as Loader, Promise.resolve())
  return { failures, sent }
}
const passTime = () => jest.advanceTimersByTimeAsync(5000)
beforeEach(() => void jest.useFakeTimers())

test.each<[string, Record<string, string>, number, DocumentVisibilityState]>([
  ['outside the sample', { reportUrl: '/r', reportSample: '0' }, 1, 'visible'],
  ['of a site without a place to report to', {}, 0, 'visible'],
  ['that loads in the background', { reportUrl: '/r' }, 1, 'hidden'],
])('a page %s is not measured', async (_name, config, reported, visibility) => {
  jest.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility)
  const { failures, sent } = setUp(config)
  await passTime()
  failures.add({ phase: 'error', error: new Error('thrown') })
  failures.add({ phase: 'csp', error: 'img-src blocked https://elsewhere.example/a.gif' })
  jest.useRealTimers()
  await waitFor(() => expect(sent).toHaveLength(1 + reported))
  expect(observed).toEqual([])
})

test('entries from before the telemetry count for their view', async () => {
  const beacon = jest.fn<boolean, [url: string, body: string]>()
  Object.assign(navigator, { sendBeacon: beacon })
  const { failures } = setUp({ reportUrl: '/r' })
  entries.push(
    { entryType: 'largest-contentful-paint', startTime: 2600 },
    { entryType: 'mark', name: 'view', startTime: 2700, detail: '/x' },
  )
  failures.add({
    phase: 'render',
    error: new Error('thrown'),
    owner: { name: 'mf-x', version: '2' },
  })
  expect(observed).toEqual([])
  await passTime()
  jest.useRealTimers()
  await waitFor(() => expect(observed).toEqual(['mark', 'largest-contentful-paint']))
  jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  dispatchEvent(new Event('pagehide'))
  const [[, body = ''] = []] = beacon.mock.calls
  expect(JSON.parse(body).views).toEqual([
    { remote: 'mf-x', version: '2', threw: true, paintedLate: true },
  ])
})

test('a telemetry that could not be loaded is requested again', async () => {
  jest.doMock('./start-telemetry.ts', () => {
    throw new Error('the network is away')
  })
  const { failures, sent } = setUp({ reportUrl: '/r', reportSample: '0' })
  failures.add({ phase: 'error', error: new Error('first') })
  await passTime()
  jest.dontMock('./start-telemetry.ts')
  failures.add({ phase: 'error', error: new Error('second') })
  jest.useRealTimers()
  await waitFor(() => expect(sent).toMatchObject([{ error: new Error('second') }]))
})
