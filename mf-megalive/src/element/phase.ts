/**
 * What the embed shows. `fallback`: the embedded objects and the message (specification, section 2); `blocked`: the same,
 * for good, as the embedding page's policy forbids the frame; `refused`: the address is not one that we embed.
 */
export type Phase = 'idle' | 'loading' | 'shown' | 'fallback' | 'blocked' | 'refused'

/**
 * `load` proves little: it also fires for a page that refuses framing, for an HTTP error and for a host that does not
 * exist. `ready`: the page has posted its ready message, which makes it `proven`.
 */
export type Signal = 'start' | 'load' | 'ready' | 'timeout' | 'blocked' | 'refuse' | 'stop'

export interface State {
  readonly phase: Phase
  readonly proven: boolean
}

export const IDLE: State = { phase: 'idle', proven: false }

/** The next state; the same object when nothing changes. */
export function nextPhase(state: State, signal: Signal, requireReady = false): State {
  const { phase, proven } = state
  const waiting = phase === 'loading' || phase === 'fallback'
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
      return (waiting || phase === 'shown') && !proven ? { phase: 'shown', proven: true } : state
    case 'timeout':
      return phase === 'loading' ? { phase: 'fallback', proven } : state
    case 'blocked':
      // The blocked frame's own load event comes before or after this one.
      return phase === 'loading' || (phase === 'shown' && !proven)
        ? { phase: 'blocked', proven }
        : state
  }
}
