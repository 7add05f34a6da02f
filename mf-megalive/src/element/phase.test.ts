import fc from 'fast-check'
import { IDLE, next, type Signal, type State } from './phase.ts'

const run = (signals: readonly Signal[], requireReady = false): State =>
  signals.reduce((state, signal) => next(state, signal, requireReady), IDLE)

const signal = fc.constantFrom<Signal>('start', 'load', 'ready', 'timeout', 'blocked', 'refuse', 'stop')

test.each<[string, Signal[], State]>([
  ['covers the frame first', ['start'], { phase: 'loading', proven: false }],
  ['uncovers on load', ['start', 'load'], { phase: 'shown', proven: false }],
  ['uncovers on ready, which proves the page', ['start', 'ready'], { phase: 'shown', proven: true }],
  ['keeps the proof when load follows', ['start', 'ready', 'load'], { phase: 'shown', proven: true }],
  ['takes the proof after load', ['start', 'load', 'ready'], { phase: 'shown', proven: true }],
  ['falls back in time', ['start', 'timeout'], { phase: 'fallback', proven: false }],
  ['does not fall back once shown', ['start', 'load', 'timeout'], { phase: 'shown', proven: false }],
  ['shows a late load', ['start', 'timeout', 'load'], { phase: 'shown', proven: false }],
  ['shows a late ready', ['start', 'timeout', 'ready'], { phase: 'shown', proven: true }],
  [
    'blocked is final for its load before it',
    ['start', 'load', 'blocked'],
    { phase: 'blocked', proven: false },
  ],
  [
    'blocked is final for its load after it',
    ['start', 'blocked', 'load'],
    { phase: 'blocked', proven: false },
  ],
  ['a start begins anew', ['start', 'ready', 'start'], { phase: 'loading', proven: false }],
  ['a refusal loads nothing', ['refuse', 'load', 'timeout'], { phase: 'refused', proven: false }],
  ['nothing happens after a stop', ['start', 'stop', 'load', 'ready', 'timeout'], IDLE],
])('%s', (_, signals, state) => {
  expect(run(signals)).toEqual(state)
})

test('where ready is required, load alone shows nothing', () => {
  expect(run(['start', 'load'], true).phase).toBe('loading')
  expect(run(['start', 'load', 'timeout', 'load'], true).phase).toBe('fallback')
  expect(run(['start', 'load', 'timeout', 'ready'], true)).toEqual({ phase: 'shown', proven: true })
})

test('whatever happens: nothing shows without a start, and only a page that spoke is proven', () => {
  fc.assert(
    fc.property(fc.array(signal, { maxLength: 12 }), fc.boolean(), (signals, requireReady) => {
      const { phase, proven } = run(signals, requireReady)
      const sinceStart = signals.slice(signals.lastIndexOf('start') + 1)
      if (!signals.includes('start')) expect(['idle', 'refused']).toContain(phase)
      if (proven) expect(sinceStart).toContain('ready')
      if (phase === 'shown') expect(sinceStart.some((one) => one === 'load' || one === 'ready')).toBe(true)
      if (phase === 'shown' && requireReady) expect(proven).toBe(true)
    }),
  )
})
