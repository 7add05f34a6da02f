const running = new Set<Promise<unknown>>()
let answered = 0

/** Counts a claim that is being sent, so that no reload interrupts it. */
export function countClaim<Result>(call: Promise<Result>): Promise<Result> {
  running.add(call)
  const done = () => {
    running.delete(call)
    answered += 1
  }
  call.then(done, done)
  return call
}

/** Claims answered since the page was loaded, also by a failure. */
export const claimsAnswered = () => answered

/** Resolves when no claim is in flight. */
export async function claimsSettled(): Promise<void> {
  while (running.size > 0) await Promise.allSettled(running)
}
