/**
 * `fallback`: embedded objects and the message (specification, section 2);
 * `blocked`: the same for good, by the embedding page's policy; `refused`: the
 * address may not be embedded.
 */
export type Phase = 'idle' | 'loading' | 'shown' | 'fallback' | 'blocked' | 'refused'

/**
 * `load` proves little: it also fires for refused framing, HTTP errors and
 * unknown hosts. `ready` is the page's message.
 */
export type Signal = 'start' | 'load' | 'ready' | 'timeout' | 'blocked' | 'refuse' | 'stop'

export interface State {
  readonly phase: Phase
  readonly proven: boolean
}

export const IDLE: State = { phase: 'idle', proven: false }

/** Returns the same object when nothing changes. */
export function nextPhase(state: State, signal: Signal, requireReady = false): State {
  const { phase, proven } = state
  const waiting = phase === 'loading' || phase === 'fallback'
  const isOpen = waiting || phase === 'shown'
  const canBlock = phase === 'loading' || (phase === 'shown' && !proven)
  switch (signal) {
    case 'start':
      return { phase: 'loading', proven: false }
    case 'refuse':
      return { phase: 'refused', proven: false }
    case 'stop':
      return IDLE
    case 'load':
      return waiting && !requireReady ? { phase: 'shown', proven } : state
    case 'ready':
      return isOpen && !proven ? { phase: 'shown', proven: true } : state
    case 'timeout':
      return phase === 'loading' ? { phase: 'fallback', proven } : state
    case 'blocked':
      // The blocked frame's load event may come before this one.
      return canBlock ? { phase: 'blocked', proven } : state
  }
}
