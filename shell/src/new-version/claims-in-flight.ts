import type { ClientApi } from '@anniversary/shared/contract/host'

type TakeCode = ClientApi['takeCode']

/** Counts the claims in flight, so that no reload interrupts one. */
export function trackClaims(send: TakeCode) {
  const running = new Set<Promise<unknown>>()
  let started = 0
  const takeCode: TakeCode = (claim) => {
    started += 1
    const call = send(claim)
    running.add(call)
    const done = () => void running.delete(call)
    call.then(done, done)
    return call
  }
  return {
    /** The call that is counted. */
    takeCode,
    /** Claims in flight. */
    running: () => running.size,
    /** Claims sent since the page was loaded. */
    started: () => started,
    /** Resolves when no claim is in flight. */
    settled: async () => {
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}

export type Claims = Omit<ReturnType<typeof trackClaims>, 'takeCode'>
