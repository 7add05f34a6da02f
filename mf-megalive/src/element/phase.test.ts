import { IDLE, next, type Signal, type State } from './phase.ts'

// What else it does is the element's test.
test.each<[string, Signal[], State]>([
  ['takes the proof after load', ['start', 'load', 'ready'], { phase: 'shown', proven: true }],
  ['does not fall back once shown', ['start', 'load', 'timeout'], { phase: 'shown', proven: false }],
  ['shows a late ready', ['start', 'timeout', 'ready'], { phase: 'shown', proven: true }],
  ['stays blocked after load', ['start', 'load', 'blocked'], { phase: 'blocked', proven: false }],
  ['a start begins anew', ['start', 'ready', 'start'], { phase: 'loading', proven: false }],
])('%s', (_, signals, state) => {
  expect(signals.reduce((before, signal) => next(before, signal), IDLE)).toEqual(state)
})
