import type { DrawResults } from '../contract/host.ts'
import { LONGEST_PUT_OFF_MS, putOffMs } from '../contract/put-off.ts'
import type { DrawsAnswer } from '../contract/wire.ts'
import { type ClientOptions, noteAnswerHeaders } from './client-options.ts'

export async function requestDraws(
  options: ClientOptions,
  givesUpAt = performance.now() + LONGEST_PUT_OFF_MS,
): Promise<DrawResults> {
  // Past the browser's cache, which hides an answer's age; those of the servers
  // hold it for everybody.
  const sentAt = Date.now()
  const answer = await fetch(`${options.config.apiBase}/client/draws`, { cache: 'no-store' })
  const wait = putOffMs(answer.status, answer.headers.get('retry-after'))
  if (wait !== undefined && performance.now() + wait < givesUpAt) {
    await new Promise((resolve) => setTimeout(resolve, wait))
    return await requestDraws(options, givesUpAt)
  }
  noteAnswerHeaders(options, sentAt, (name) => answer.headers.get(name))
  const { data, frozen }: DrawsAnswer = await answer.json()
  if (!Array.isArray(data)) return []
  if (!frozen) return data
  return Object.assign(data, {
    frozen: frozen.map(({ frozen_at, ...list }) => ({ ...list, frozenAt: frozen_at })),
  })
}
