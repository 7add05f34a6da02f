/**
 * What the embed shows, as a plain function of what happened. No DOM here.
 *
 * - `idle`: no address yet, or not in a document
 * - `loading`: the overlay covers the frame
 * - `shown`: the frame is uncovered
 * - `fallback`: the embedded objects and the message (specification, section 2, /megalive)
 * - `blocked`: the same, at once and for good: the embedding page's own policy forbids the frame
 * - `refused`: the address is not one that we embed
 */
export type Phase = 'idle' | 'loading' | 'shown' | 'fallback' | 'blocked' | 'refused'

/**
 * - `load`: the frame's load event. It proves little: it also fires for a page that refuses framing, for an HTTP
 *   error and for a host that does not exist.
 * - `ready`: the page has posted its ready message
 * - `blocked`: the content security policy of the embedding page forbids the frame
 */
export type Signal = 'start' | 'load' | 'ready' | 'timeout' | 'blocked' | 'refuse' | 'stop'

export interface State {
  readonly phase: Phase
  /** The page has posted its ready message. */
  readonly proven: boolean
}

export const IDLE: State = { phase: 'idle', proven: false }

/**
 * The next state; the same object when nothing changes.
 * @param requireReady `load` is not enough: only the page's ready message ends the overlay
 */
export function next(state: State, signal: Signal, requireReady = false): State {
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
      return phase === 'loading' || (phase === 'shown' && !proven) ? { phase: 'blocked', proven } : state
  }
}
