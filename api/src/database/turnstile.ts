export interface Turnstile {
  /** Runs work when all that came before has ended. */
  enter<T>(work: () => Promise<T>): Promise<T>
  /** How many are in it, with the one that runs. */
  length(): number
}

/** One at a time, in order of arrival. @param refusal what callers beyond `limit` get at once */
export function turnstile(limit: number, refusal: () => Error): Turnstile {
  let last: Promise<unknown> = Promise.resolve()
  let inside = 0
  return {
    length: () => inside,
    enter(work) {
      if (inside > limit) return Promise.reject(refusal())
      inside++
      const mine = last.then(work).finally(() => {
        inside--
      })
      last = mine.catch(() => undefined)
      return mine
    },
  }
}
