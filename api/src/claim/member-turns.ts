/** A page claims six missions at most, each perhaps twice. */
const LONGEST_QUEUE = 16

interface Queue {
  length: number
  last: Promise<unknown>
}

/** Tells once that a call was answered, by its deadline or because its caller hung up. */
export type OnAnswered = (leave: () => void) => void

/**
 * Returns a function that runs the calls of one key one after another, so that a member's script takes one place from
 * others, however many connections it has. It returns undefined, and runs nothing, when 16 calls are in the queue already,
 * and for a call that was answered before its turn. A running call keeps its turn until its statement has ended: it may
 * still commit.
 */
export function createTurns() {
  const queues = new Map<string, Queue>()

  return async <T>(
    key: string,
    onAnswered: OnAnswered,
    work: () => Promise<T>,
  ): Promise<T | undefined> => {
    const queue = queues.get(key) ?? { length: 0, last: Promise.resolve() }
    if (queue.length === LONGEST_QUEUE) return undefined

    queues.set(key, queue)
    queue.length++
    let state: 'waiting' | 'running' | 'left' = 'waiting'
    const leave = () => {
      if (state === 'left') return
      state = 'left'
      queue.length--
      if (queue.length === 0) queues.delete(key)
    }
    onAnswered(() => {
      if (state === 'waiting') leave()
    })

    const result = queue.last.then(() => {
      if (state === 'left') return undefined
      state = 'running'
      return work().finally(leave)
    })
    queue.last = result.catch(() => undefined)
    return result
  }
}
