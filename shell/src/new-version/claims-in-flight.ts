import type { ClientApi } from '@anniversary/shared/contract/host'

type TakeCode = ClientApi['takeCode']

/** Counts the claims, so that no reload interrupts one. */
export function trackClaims(send: TakeCode) {
  const running = new Set<Promise<unknown>>()
  let answered = 0
  const takeCode: TakeCode = (claim) => {
    const call = send(claim)
    running.add(call)
    const done = () => {
      running.delete(call)
      answered += 1
    }
    call.then(done, done)
    return call
  }
  return {
    /** The call that is counted. */
    takeCode,
    /** Claims answered since the page was loaded, also by a failure. */
    answered: () => answered,
    /** Resolves when no claim is in flight. */
    async settled() {
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}

export type Claims = Omit<ReturnType<typeof trackClaims>, 'takeCode'>
