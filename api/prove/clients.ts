import { setTimeout as sleep } from 'node:timers/promises'
import { MISSION_CODES, STREAK_MISSION } from '@anniversary/shared/contract/missions'
import type { Observation } from './claim-history.ts'
import { type Answer, book, claim, type Player, read, STREAK } from './members.ts'
import { until } from './report.ts'

export const any = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)] as T // the list is not empty

/** Entries of `claimed` and `claims` that count as recent. */
const RECENT = 500

interface Load {
  readonly clients?: number
  /** The shortest pause of a client; the mean is half as long again. */
  readonly pauseMs?: number
  /**
   * Calls that repeat a claim, or read the tickets of a member who has claimed.
   */
  readonly past?: number
  /**
   * Each claim of the streak comes after a booking of its deposits and names
   * their days; a reversal follows every second one that is granted.
   */
  readonly books?: boolean
}

/**
 * A claim is sent until it is answered, one of each member four times at once:
 * more would be more calls than a member may make.
 * @param origin of the next call
 */
export function startClients(
  origin: () => string,
  { clients = 12, pauseMs = 100, past: pastShare = 0.2, books = false }: Load = {},
) {
  const seen: (Observation & Answer)[] = []
  /** Counts first claims, since a repeat is answered without a write. */
  const claims: Answer[] = []
  const toClaim: { player: Player; mission: string }[] = []
  const claimed: typeof toClaim = []
  let unanswered = 0
  /** Every second one is broken, the first too: a short run has few. */
  let proven = 0
  let isOver = false

  const see = <Seen extends Observation & Answer>(one: Seen): Seen => {
    seen.push(one)
    return one
  }
  const isRaced = ({ player, mission }: (typeof toClaim)[number]) =>
    mission === MISSION_CODES[Number(player.id) % MISSION_CODES.length]
  const isProven = (mission: string) => books && mission === STREAK_MISSION
  const ask = async ({ player, mission }: (typeof toClaim)[number]) => {
    const days = { startTimeStreak: STREAK[0], endTimeStreak: STREAK[4] }
    return see(await claim(origin(), player, mission, isProven(mission) ? days : {}))
  }
  const bookStreak = async (player: Player) => {
    while (!isOver && see(await book(origin(), player, 'deposit', STREAK)).status !== 200)
      await sleep(300)
  }

  async function client() {
    while (!isOver) {
      const kind = Math.random()
      const past = kind < pastShare && claimed.length > 0 && any(claimed.slice(-RECENT))
      if (past && kind < pastShare / 2) see(await read(origin(), past.player))
      else if (past) await ask(past)
      else {
        const next = toClaim.pop()
        const copies = next && isRaced(next) ? 4 : 1
        if (next) unanswered++
        if (next && isProven(next.mission)) await bookStreak(next.player)
        while (next && !isOver) {
          const answers = await Promise.all(Array.from({ length: copies }, () => ask(next)))
          const known = answers.find(({ answer }) => answer !== 'lost')
          if (known) {
            claims.push(known)
            unanswered--
            claimed.push(next)
            // One that was refused as full could not be refused as full again.
            const mayBreak = isProven(next.mission) && known.answer !== 'full'
            if (mayBreak && proven++ % 2 === 0)
              see(await book(origin(), next.player, 'reversal', STREAK.slice(4)))
            break
          }
          await sleep(300)
        }
      }
      await sleep(pauseMs * (1 + Math.random()))
    }
  }

  const running = Array.from({ length: clients }, client)
  return {
    seen,
    claims,
    toClaim,
    ask,
    bookStreak,
    /**
     * Returns the time of the acknowledgement of a claim that was sent after
     * `from`.
     * @throws Error at once when no claim is left to send, which says nothing
     * about the server
     */
    acknowledged: (from = performance.now()) =>
      until('an acknowledged claim', async () => {
        const found = claims.slice(-RECENT).find(({ sentAt }) => sentAt > from)
        if (!found && toClaim.length + unanswered === 0)
          throw new Error(
            `no claim is left to send after ${claims.length}: begin with more members`,
          )
        return found?.answeredAt
      }),
    async end() {
      isOver = true
      await Promise.all(running)
    },
  }
}
