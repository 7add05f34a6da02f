import pLimit from 'p-limit'

/** Calls that run or wait. */
interface QueueLimits {
  readonly ofCaller: number
  readonly ofAll?: number
}

/** Runs callers' work one after the other, since each holds builds and a browser in memory. */
export function createCallQueue({ ofCaller, ofAll = Number.POSITIVE_INFINITY }: QueueLimits) {
  const takeTurn = pLimit(1)
  const callers: string[] = []

  /** Resolves with null, without the work, when too many calls wait. */
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
