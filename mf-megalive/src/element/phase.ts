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
  const isWaiting = ['loading', 'fallback'].includes(phase)
  const isOpen = isWaiting || phase === 'shown'
  const canBlock = phase === 'loading' || (phase === 'shown' && !proven)
  switch (signal) {
    case 'start':
      return { phase: 'loading', proven: false }
    case 'refuse':
      return { phase: 'refused', proven: false }
    case 'stop':
      return IDLE
    case 'load':
      if (isWaiting && !requireReady) return { phase: 'shown', proven }
      return state
    case 'ready':
      if (isOpen && !proven) return { phase: 'shown', proven: true }
      return state
    case 'timeout':
      if (phase === 'loading') return { phase: 'fallback', proven }
      return state
    case 'blocked':
      // The blocked frame's load event may come before this one.
      if (canBlock) return { phase: 'blocked', proven }
      return state
  }
}
