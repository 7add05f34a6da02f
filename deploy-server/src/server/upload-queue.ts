import pLimit from 'p-limit'

/** Of one caller: one that runs, and two that wait. */
const MOST_UPLOADS = 3

/** Runs uploads one after the other, since each takes memory and a browser. */
export function createUploadQueue() {
  const runNext = pLimit(1)
  const counts = new Map<string, number>()

  /** Resolves with null, without the work, while the caller has `MOST_UPLOADS`. */
  return async function upload<T>(caller: string, work: () => Promise<T>): Promise<T | null> {
    const count = counts.get(caller) ?? 0
    if (count >= MOST_UPLOADS) return null
    counts.set(caller, count + 1)
    try {
      return await runNext(work)
    } finally {
      counts.set(caller, (counts.get(caller) ?? 1) - 1)
    }
  }
}
