import { traceId } from '@anniversary/shared/client/trace'
import { createReports, type Failure } from './report.ts'

const beacons: [url: string, report: object][] = []
beforeEach(() => {
  beacons.length = 0
  const sendBeacon = (url: string, text: string) => beacons.push([url, JSON.parse(text)])
  Object.assign(navigator, { sendBeacon })
})

const failure = (message: string): Failure => ({
  owner: { name: 'mf-x', version: '1.0.0-a' },
  phase: 'chunk',
  error: new Error(message),
  next: 'retry',
})

test('a report names its remote, what failed, where, and what comes next', () => {
  history.replaceState(null, '', `/${'p'.repeat(300)}`)
  const { send, sent } = createReports('/reports', 7)
  send(failure('HTTP 404'), { 'code.lineno': 3 } as never)
  const report = {
    'event.name': 'remote.failure',
    'remote.name': 'mf-x',
    'remote.version': '1.0.0-a',
    'remote.phase': 'chunk',
    'remote.next': 'retry',
    'composition.number': 7,
    'exception.message': 'HTTP 404',
    'url.path': `/${'p'.repeat(199)}`,
    trace_id: traceId(),
    'code.lineno': 3,
  }
  expect(beacons).toEqual([['/reports', report]])
  expect(sent).toEqual([failure('HTTP 404')])
})

test('control characters become spaces, but lines stay', () => {
  createReports('/reports', 1).send(failure('a\u0000b\u001b[31mc\n\td'))
  expect(beacons).toMatchObject([['/reports', { 'exception.message': 'a b [31mc\n\td' }]])
})

test('a long message is cut, and a page sends fifty reports', () => {
  const { send, sent } = createReports('/reports', 1)
  for (let n = 0; n < 60; n++) send(failure('x'.repeat(600)))
  expect(sent).toHaveLength(50)
  expect(beacons).toHaveLength(50)
  expect(beacons[0]).toMatchObject(['/reports', { 'exception.message': 'x'.repeat(500) }])
})

test('the half of a character at the cut becomes a space', () => {
  createReports('/reports', 1).send(failure(`${'x'.repeat(499)}😀`))
  const cut = `${'x'.repeat(499)} `
  expect(beacons).toMatchObject([['/reports', { 'exception.message': cut }]])
})

test('without an address a report goes to the console', () => {
  const log = jest.spyOn(console, 'error').mockImplementation()
  const { send } = createReports(undefined, 1)
  const { error } = failure('HTTP 404')
  send({ ...failure(''), error })
  send({ ...failure(''), error: 'a text' })
  expect(log.mock.calls).toEqual([
    ['[mf-x 1.0.0-a] chunk: HTTP 404', error],
    ['[mf-x 1.0.0-a] chunk: a text', ''],
  ])
  expect(beacons).toEqual([])
})
