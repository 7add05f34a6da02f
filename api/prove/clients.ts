import { setTimeout as sleep } from 'node:timers/promises'
import type { Observation } from './claim-history.ts'
import { type Answer, claim, type Player, read } from './members.ts'

const CLIENTS = 12

export const any = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)] as T // the list is not empty

export type Clients = ReturnType<typeof startClients>

/** Starts members who claim, repeat and read, and records what they see. @param origin of the next call */
export function startClients(origin: () => string) {
  const answers: Answer[] = []
  const observations: Observation[] = []
  /** First acknowledgements, since a repeat is answered without a write. */
  const claims: Answer[] = []
  const toClaim: { player: Player; mission: string }[] = []
  const claimed: typeof toClaim = []
  let isOver = false

  const see = <Seen extends Observation & Answer>(one: Seen): Seen => {
    answers.push(one)
    observations.push(one)
    return one
  }
  const ask = async ({ player, mission }: (typeof toClaim)[number]) =>
    see(await claim(origin(), player, mission))

  async function client() {
    while (!isOver) {
      const kind = Math.random()
      const past = claimed.length > 0 && any(claimed.slice(-500))
      if (past && kind < 0.1) see(await read(origin(), past.player))
      else if (past && kind < 0.2) await ask(past)
      else {
        const next = toClaim.pop()
        while (next && !isOver) {
          const one = await ask(next)
          if (one.answer === 'lost') await sleep(300)
          else {
            claims.push(one)
            claimed.push(next)
            break
          }
        }
      }
      await sleep(100 + Math.random() * 100)
    }
  }

  const clients = Array.from({ length: CLIENTS }, client)
  return {
    answers,
    observations,
    claims,
    toClaim,
    isOver: () => isOver,
    async end() {
      isOver = true
      await Promise.all(clients)
    },
  }
}
