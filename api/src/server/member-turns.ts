import type { FastifyReply } from 'fastify'
import { memberTexts } from '../texts.ts'
import { HttpProblem } from './answers.ts'

/** A page claims six missions at most, each perhaps twice. */
const LONGEST_QUEUE = 16
/** A refused claim costs a commit. */
const CALLS_A_SECOND = 40

interface Queue {
  length: number
  last: Promise<unknown>
}

export type MemberTurns = ReturnType<typeof createMemberTurns>

type OnAnswered = (leave: () => void) => void

/**
 * Returns a function that runs the calls of one key one after another. It
 * returns undefined beyond these limits, and for a call that was answered
 * before its turn. A running call keeps its turn until its statement has ended:
 * it may still commit.
 */
export function createMemberTurns() {
  const queues = new Map<string, Queue>()
  let counts = new Map<string, number>()
  let countedSince = 0

  const isTooOften = (key: string) => {
    if (performance.now() - countedSince > 1000) {
      counts = new Map()
      countedSince = performance.now()
    }
    const count = counts.get(key) ?? 0
    counts.set(key, count + 1)
    return count >= CALLS_A_SECOND
  }

  return async <T>(
    key: string,
    onAnswered: OnAnswered,
    work: () => Promise<T>,
  ): Promise<T | undefined> => {
    const queue = queues.get(key) ?? { length: 0, last: Promise.resolve() }
    if (isTooOften(key) || queue.length === LONGEST_QUEUE) return undefined

    queues.set(key, queue)
    queue.length++
    let state: 'waiting' | 'running' | 'left' = 'waiting'
    const leave = () => {
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

/**
 * Writes of one session lock the same rows, as do logins at one account.
 * Without turns, one script would occupy all connections that write.
 * @throws HttpProblem beyond the limits of `createMemberTurns`
 */
export async function inMemberTurn<T extends object>(
  { inTurn }: { readonly inTurn: MemberTurns },
  key: string,
  reply: FastifyReply,
  work: () => Promise<T | undefined>,
): Promise<T> {
  const outcome = await inTurn(key, (leave) => reply.raw.once('close', leave), work)
  if (!outcome) throw new HttpProblem(429, memberTexts.tooMany, { retryAfterSeconds: 1 })
  return outcome
}
