import { setTimeout as sleep } from 'node:timers/promises'
import { TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import { MISSION_CODES } from '@anniversary/shared/contract/missions'
import { rowsOf } from '../src/database/database.ts'
import { type DatabasePlace, openDatabase } from '../src/database/open.ts'
import type { ApiProcess } from './api-process.ts'
import { contradictions, type Observation, type StoredTicket } from './claim-history.ts'
import { checkSound, claim, type Player, readCodes } from './members.ts'
import { check } from './report.ts'

/** Tickets that a member's six missions are worth: eleven, of which six fit. */
export const WORTH = [3, 2, 2, 2, 1, 1] as const
// The rules' mission is any text; all claims here are of known ones.
const worth = (mission: string): number => WORTH[MISSION_CODES.indexOf(mission)] ?? 0

const CLIENTS = 32
/** Members who are active at the same time, so that their claims meet. */
export const ACTIVE = 200

const storedTickets = rowsOf<StoredTicket, []>(
  'prove-tickets',
  `SELECT o.account AS member, t.mission, t.code FROM ticket t JOIN member o ON o.id = t.member_id`,
)

/** Servers that members claim at while they are killed. */
export interface Scene {
  readonly place: DatabasePlace
  /** A kill replaces those that died. */
  readonly apis: ApiProcess[]
  /** What dies, in turn. @returns when it died, of `performance.now()`; all is started again by then */
  readonly kills: readonly (() => Promise<number>)[]
}

type Record = (seen: Observation) => void

/** Claims, and records the answer: codes, full, or none, which only a server that dies may give. */
async function claimOnce(api: ApiProcess, player: Player, mission: string, record: Record): Promise<boolean> {
  const sentAt = performance.now()
  const { status, statusCode, codes } = await claim(api.origin, player.token, mission)
  const isLost = status === 0 || status === 503
  const isFull = status === 200 && statusCode === 4090
  check(
    isLost || isFull || codes !== undefined,
    `a claim is answered, not ${status} ${statusCode}: ${api.log()}`,
  )
  const answer = codes ?? (isFull ? 'full' : 'lost')
  record({
    kind: 'claim',
    member: player.account,
    mission,
    answer,
    sentAt,
    answeredAt: performance.now(),
  })
  return !isLost
}

/** Sends one call of a member, sometimes the same claim several times at once. */
async function act({ apis }: Scene, player: Player, record: Record): Promise<void> {
  const any = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)] as T // of what is not empty
  const mission = any(MISSION_CODES)
  const kind = Math.random()
  if (kind < 0.15) {
    const sentAt = performance.now()
    const codes = await readCodes(any(apis).origin, player.token)
    const answeredAt = performance.now()
    if (codes) record({ kind: 'reading', member: player.account, codes, sentAt, answeredAt })
    return
  }
  const copies = Array.from({ length: kind < 0.25 ? 4 : 1 }, () =>
    claimOnce(any(apis), player, mission, record),
  )
  // A server that starts needs the processor more than a client that asks again.
  if ((await Promise.all(copies)).includes(false)) await sleep(100)
}

/**
 * Claims and reads from many clients at once, over and over, while things are killed. Everything that the clients saw
 * is recorded and checked as a history; in the end nothing is stuck.
 * @param players for each of whom some 25 calls are a history of first claims, repeats, refusals and readings
 * @param calls how many are recorded, at least
 * @param kills spread evenly over them
 * @throws Error with the first contradictions
 */
export async function underKills(
  scene: Scene,
  players: readonly Player[],
  calls: number,
  kills: number,
): Promise<{ [figure: string]: number }> {
  const seen: Observation[] = []
  let killed = 0
  let longest = 0
  /** When the last call was sent that was answered. */
  let answered = 0
  const record: Record = (one) => {
    seen.push(one)
    if (one.kind === 'reading' || one.answer !== 'lost') answered = Math.max(answered, one.sentAt)
  }
  const client = async () => {
    while (seen.length < calls || killed < kills) {
      // The active members move on with the history, so that first claims are left at its end.
      const first = Math.floor((seen.length / calls) * (players.length - ACTIVE))
      const player = players[Math.min(players.length - 1, first + Math.floor(Math.random() * ACTIVE))]
      if (player) await act(scene, player, record)
    }
  }
  const killer = async () => {
    for (; killed < kills; killed++) {
      while (seen.length < (calls / (kills + 1)) * (killed + 1)) await sleep(5)
      const diedAt = (await scene.kills[killed % scene.kills.length]?.()) ?? 0
      while (answered <= diedAt) await sleep(5)
      longest = Math.max(longest, performance.now() - diedAt)
      if (killed % 10 === 9) console.error(`${killed + 1} of ${kills} kills, ${seen.length} calls`)
    }
  }
  const started = performance.now()
  await Promise.all([killer(), ...Array.from({ length: CLIENTS }, client)])
  const seconds = (performance.now() - started) / 1000
  const [api] = scene.apis
  for (const mission of MISSION_CODES) {
    const last = players.slice(-ACTIVE).map((player) => api && claimOnce(api, player, mission, record))
    check((await Promise.all(last)).every(Boolean), 'all is answered after the last kill')
  }

  const database = await openDatabase(scene.place, () => undefined)
  const stored = await storedTickets(database)
  const found = contradictions(seen, stored, { cap: TICKETS_PER_STAGE, worth })
  check(found.length === 0, `${found.length} contradictions: ${found.slice(0, 5).join('; ')}`)
  await database.close()
  await checkSound(scene.place)
  const claimed = seen.filter((one) => one.kind === 'claim')
  return {
    'calls recorded': seen.length,
    granted: claimed.filter(({ answer }) => typeof answer !== 'string').length,
    'refused as full': claimed.filter(({ answer }) => answer === 'full').length,
    lost: claimed.filter(({ answer }) => answer === 'lost').length,
    'tickets stored': stored.length,
    kills: killed,
    'longest recovery ms': Math.round(longest),
    contradictions: found.length,
    'calls a second': Math.round(seen.length / seconds),
  }
}
