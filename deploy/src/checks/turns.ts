/** Returns a function that runs work one at a time, in order; null, without running it, when `most` are waiting. */
export function oneAtATime(most: number) {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return async <T>(work: () => Promise<T>): Promise<T | null> => {
    if (waiting >= most) return null
    waiting += 1
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return await turn.finally(() => {
      waiting -= 1
    })
  }
}
