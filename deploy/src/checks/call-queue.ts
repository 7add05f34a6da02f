import pLimit from 'p-limit'

interface QueueLimits {
  readonly ofCaller: number
  readonly ofAll?: number
}

/** Runs one call at a time, since each holds builds and a browser in memory. */
export function createCallQueue({ ofCaller, ofAll = Number.POSITIVE_INFINITY }: QueueLimits) {
  const takeTurn = pLimit(1)
  const callers: string[] = []

  /** Resolves with null when too many calls wait. */
  return async function runInTurn<T>(caller: string, work: () => Promise<T>): Promise<T | null> {
    const own = callers.filter((one) => one === caller).length
    if (callers.length >= ofAll || own >= ofCaller) return null
    callers.push(caller)
    try {
      return await takeTurn(work)
    } finally {
      callers.splice(callers.indexOf(caller), 1)
    }
  }
}
