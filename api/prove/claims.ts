import { setTimeout as sleep } from 'node:timers/promises'
import { MISSION_CODES, type MissionCode, TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import { type Database, statement } from '../src/database/database.ts'
import { openDatabase } from '../src/database/open.ts'
import { verify } from '../src/operator/verify.ts'
import { checkPeppers } from '../src/pepper.ts'
import { syncMissions } from '../src/repositories/missions.ts'
import { partitionTables } from '../test/partitions.ts'
import { startPostgres, type TestPostgres } from '../test/postgres.ts'
import { type ApiProcess, PEPPER, startApi } from './api-process.ts'
import { contradictions, type Observation, type StoredTicket } from './claim-history.ts'
import { addPlayers, claim, type Player, readCodes } from './members.ts'
import { check, proof } from './report.ts'

/** Tickets that a member's six missions are worth: eleven, of which six fit. */
const WORTH = [3, 2, 2, 2, 1, 1] as const
// The rules' mission is any text; all claims here are of known ones.
const worth = (mission: string): number => WORTH[MISSION_CODES.indexOf(mission as MissionCode)] ?? 0

const CLIENTS = 32
/** Each member is met about so often: first claims, repeats, refusals and readings. */
const CALLS_A_MEMBER = 25
/** Members who are active at the same time, so that their claims meet. */
const ACTIVE = 200
const PLAYERS_A_BATCH = 500

const storedTickets = statement(
  'prove-tickets',
  `SELECT o.account AS member, t.mission, t.code FROM ticket t JOIN member o ON o.id = t.member_id`,
)
const cutConnections = statement(
  'prove-cut',
  `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
   WHERE pid <> pg_backend_pid() AND application_name = 'anniversary-api'`,
)

interface Scene {
  readonly postgres: TestPostgres
  readonly apis: [ApiProcess, ApiProcess]
}

/** What dies, in turn: each API process, the connections of both, Postgres. */
const KILLS: readonly ((scene: Scene) => Promise<void>)[] = [
  ...([0, 1] as const).map((which) => async ({ apis, postgres }: Scene) => {
    await apis[which].crash()
    apis[which] = await startApi({ DATABASE_URL: postgres.url })
  }),
  async ({ postgres }) => {
    const database = await openDatabase({ url: postgres.url }, () => undefined)
    await database.query(cutConnections)
    await database.close().catch(() => undefined)
  },
  async ({ postgres }) => {
    postgres.crash()
    await postgres.start()
  },
]

/** Sends one call, sometimes the same claim several times at once, and records what came back. */
async function act({ apis }: Scene, player: Player, record: (seen: Observation) => void): Promise<void> {
  const member = player.account
  const mission = MISSION_CODES[Math.floor(Math.random() * MISSION_CODES.length)] ?? MISSION_CODES[0]
  const kind = Math.random()
  const sentAt = performance.now()
  if (kind < 0.15) {
    const codes = await readCodes(apis[Math.random() < 0.5 ? 0 : 1].origin, player.token)
    if (codes) record({ kind: 'reading', member, codes, sentAt, answeredAt: performance.now() })
    return
  }
  const copies = kind < 0.25 ? 4 : 1
  await Promise.all(
    Array.from({ length: copies }, async (_, i) => {
      const { origin } = apis[(i + Math.round(kind * 100)) % 2 ? 1 : 0]
      const { status, statusCode, codes } = await claim(origin, player.token, mission)
      const isLost = status === 0 || status === 503
      const isFull = status === 200 && statusCode === 4090
      check(isLost || isFull || codes !== undefined, `a claim is answered, not ${status} ${statusCode}`)
      const answer = codes ?? (isFull ? 'full' : 'lost')
      record({ kind: 'claim', member, mission, answer, sentAt, answeredAt: performance.now() })
      if (isLost) await sleep(20)
    }),
  )
}

async function fill(database: Database, members: number): Promise<Player[]> {
  await checkPeppers(database, [PEPPER])
  await syncMissions(database)
  const players: Player[] = []
  while (players.length < members) {
    const more = Math.min(PLAYERS_A_BATCH, members - players.length)
    players.push(...(await addPlayers(database, `batch${players.length}-`, more, WORTH)))
  }
  return players
}

/**
 * Two API processes on one Postgres, claims from many clients at once and over and over, while processes, connections and
 * the database are killed. Everything that the clients saw is recorded and checked as a history.
 * @param claims how many calls are recorded
 * @param kills spread evenly over them
 * @param isPartitioned spreads the tables over partitions by shard
 * @throws Error with the first contradictions
 */
export async function proveClaims(
  claims: number,
  kills: number,
  isPartitioned: boolean,
): Promise<Record<string, number>> {
  const postgres = await startPostgres()
  const scene: Scene = { postgres, apis: [] as unknown as Scene['apis'] } // filled below, where a failure is cleaned up
  try {
    const open = () => openDatabase({ url: postgres.url }, () => undefined)
    await (await open()).close() // migrates
    if (isPartitioned) await partitionTables(postgres.url)
    const database = await open()
    const players = await fill(database, Math.max(ACTIVE, Math.ceil(claims / CALLS_A_MEMBER)))
    await database.close()
    const env = { DATABASE_URL: postgres.url }
    scene.apis.push(...(await Promise.all([startApi(env), startApi(env)])))

    const seen: Observation[] = []
    let killed = 0
    const client = async () => {
      while (seen.length < claims || killed < kills) {
        // The active members move on with the history, so that first claims are left at its end.
        const first = Math.floor((seen.length / claims) * (players.length - ACTIVE))
        const player = players[Math.min(players.length - 1, first + Math.floor(Math.random() * ACTIVE))]
        if (player) await act(scene, player, (one) => seen.push(one))
      }
    }
    const killer = async () => {
      for (; killed < kills; killed++) {
        while (seen.length < (claims / (kills + 1)) * (killed + 1)) await sleep(5)
        await KILLS[killed % KILLS.length]?.(scene)
        if (killed % 10 === 9) console.error(`${killed + 1} of ${kills} kills, ${seen.length} calls`)
      }
    }
    const started = performance.now()
    await Promise.all([killer(), ...Array.from({ length: CLIENTS }, client)])
    const seconds = (performance.now() - started) / 1000

    const after = await open()
    const stored = await after.query<StoredTicket>(storedTickets)
    const found = contradictions(seen, stored, { cap: TICKETS_PER_STAGE, worth })
    check(found.length === 0, `${found.length} contradictions: ${found.slice(0, 5).join('; ')}`)
    check(await verify(after, () => undefined), 'event verify holds')
    await after.close()
    const claimed = seen.filter((one) => one.kind === 'claim')
    return {
      'calls recorded': seen.length,
      granted: claimed.filter(({ answer }) => typeof answer !== 'string').length,
      'refused as full': claimed.filter(({ answer }) => answer === 'full').length,
      lost: claimed.filter(({ answer }) => answer === 'lost').length,
      'tickets stored': stored.length,
      kills: killed,
      contradictions: found.length,
      'calls a second': Math.round(seen.length / seconds),
    }
  } finally {
    await Promise.all(scene.apis.map((api) => api.stop()))
    await postgres.stop()
  }
}

await proof(
  import.meta.url,
  'Two API processes on one Postgres, claims over and over while things are killed; the recorded history is checked as a whole.',
  [
    { name: 'claims', about: 'calls, half on partitioned tables', usual: 1_000_000, least: 2 },
    { name: 'kills', about: 'kills of processes, connections and Postgres', usual: 200, least: 0 },
  ],
  async (claims = 0, kills = 0) => {
    for (const isPartitioned of [false, true]) {
      console.log(isPartitioned ? 'tables partitioned by shard …' : 'whole tables …')
      console.table(await proveClaims(claims / 2, kills / 2, isPartitioned))
    }
    return 'every claim exactly once, no stage over its cap, no answer contradicts another'
  },
)
