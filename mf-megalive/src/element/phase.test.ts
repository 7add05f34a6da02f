import { IDLE, next, type Signal, type State } from './phase.ts'

const run = (signals: readonly Signal[]): State =>
  signals.reduce((state, signal) => next(state, signal), IDLE)

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
