/** A page claims six missions at most, each perhaps twice. */
const LONGEST_QUEUE = 16

interface Queue {
  length: number
  last: Promise<unknown>
}

/**
 * Returns a function that runs the calls of one key one after another, so that a member's script takes one place from
 * others, however many connections it has. It returns undefined, and runs nothing, when 16 calls wait already.
 */
export function createTurns() {
  const queues = new Map<string, Queue>()

  return async <T>(key: string, work: () => Promise<T>): Promise<T | undefined> => {
    const queue = queues.get(key) ?? { length: 0, last: Promise.resolve() }
    if (queue.length === LONGEST_QUEUE) return undefined

    queues.set(key, queue)
    queue.length++
    const result = queue.last.then(work)
    queue.last = result.catch(() => undefined)
    try {
      return await result
    } finally {
      queue.length--
      if (queue.length === 0) queues.delete(key)
    }
  }
}
