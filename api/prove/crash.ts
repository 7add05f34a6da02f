import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MISSION_CODES } from '@anniversary/shared/contract/event'
import { type Database, statement } from '../src/database/database.ts'
import { openCluster } from '../src/database/managed/cluster.ts'
import { openDatabase } from '../src/database/open.ts'
import { verify } from '../src/operator/verify.ts'
import { checkPeppers } from '../src/pepper.ts'
import { syncMissions } from '../src/repositories/missions.ts'
import { killServer } from '../test/postgres.ts'
import { type ApiProcess, PEPPER, startApi } from './api-process.ts'
import { proveDiskFull } from './disk-full.ts'
import { addPlayers, claim, type Player } from './members.ts'
import { check, proof } from './report.ts'

/** What dies. */
type Victim = 'api' | 'postgres' | 'both'

export interface CrashReport {
  rounds: number
  /** Claims answered with codes, repeats included. */
  acknowledged: number
  /** Claims that were not answered, or with 503. */
  unanswered: number
  /** Milliseconds from the crash to the first answer after it: the longest of all rounds. */
  'longest recovery ms': number
  tickets: number
}

/** Enough that new missions are left to claim in every round. */
const PLAYERS_A_ROUND = 200
const CLIENTS = 24

const codesOf = statement(
  'prove-codes',
  `SELECT o.account || ' ' || t.mission AS key, array_agg(t.code ORDER BY t.slot) AS codes
   FROM ticket t JOIN member o ON o.id = t.member_id GROUP BY 1`,
)

/**
 * Claims all missions of the players from many clients at once, again and again in rounds, while something is killed
 * in the middle of each round. Keeps every acknowledged code and compares.
 */
class Claimer {
  readonly acknowledged = new Map<string, readonly string[]>()
  readonly report: CrashReport = {
    rounds: 0,
    acknowledged: 0,
    unanswered: 0,
    'longest recovery ms': 0,
    tickets: 0,
  }
  private readonly work: { player: Player; mission: string }[]
  private next = 0
  private running = true
  private crashedAt = 0
  private readonly log: () => string

  /** @param log what the server wrote */
  constructor(players: readonly Player[], log: () => string) {
    this.log = log
    this.work = players.flatMap((player) => MISSION_CODES.map((mission) => ({ player, mission })))
    // Neighbours in time are of different members; the order is the same in every run.
    this.work.sort((a, b) => (a.mission + a.player.account < b.mission + b.player.account ? -1 : 1))
  }

  crashed(): void {
    this.crashedAt = performance.now()
  }

  /** Resolves with the first claim that is answered after the crash. */
  async recovered(): Promise<void> {
    while (this.crashedAt > 0) await sleep(10)
  }

  stop(): void {
    this.running = false
  }

  /** Claims until stopped, going back by some steps at times, so that acknowledged claims are repeated. */
  async run(origin: () => string): Promise<void> {
    this.running = true
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => {
        for (let n = client; this.running; n++) {
          const step = n % 5 === 0 ? Math.max(0, this.next - 40) : this.next++
          const { player, mission } = this.work[step % this.work.length] ?? {}
          if (!player || !mission) return
          const sentAt = performance.now()
          const answer = await claim(origin(), player.token, mission)
          this.note(`${player.account} ${mission}`, answer.status, answer.codes)
          if (sentAt > this.crashedAt && answer.status === 200) this.noteRecovery()
          if (answer.status !== 200) await sleep(20)
        }
      }),
    )
  }

  private noteRecovery(): void {
    if (this.crashedAt === 0) return
    const ms = Math.round(performance.now() - this.crashedAt)
    this.report['longest recovery ms'] = Math.max(this.report['longest recovery ms'], ms)
    this.crashedAt = 0
  }

  private note(key: string, status: number, codes: readonly string[] | undefined): void {
    if (status === 0 || status === 503) {
      this.report.unanswered++
      return
    }
    check(
      status === 200 && codes?.length === 1,
      `a claim under load answers 200 or 503, not ${status}: ${this.log()}`,
    )
    this.report.acknowledged++
    const before = this.acknowledged.get(key)
    check(
      !before || before.join() === codes?.join(),
      `${key} was answered with ${before} and later with ${codes}`,
    )
    this.acknowledged.set(key, codes ?? [])
  }

  /** After the last round: everything acknowledged is stored, and every mission can still be claimed to its end. */
  async settle(origin: string, database: () => Promise<Database>): Promise<void> {
    for (let i = 0; i < this.work.length; i += CLIENTS) {
      await Promise.all(
        this.work.slice(i, i + CLIENTS).map(async ({ player, mission }) => {
          const answer = await claim(origin, player.token, mission)
          this.note(`${player.account} ${mission}`, answer.status, answer.codes)
        }),
      )
    }
    check(this.acknowledged.size === this.work.length, 'every mission of every member was claimed in the end')
    const opened = await database()
    const rows = await opened.query<{ key: string; codes: string[] }>(codesOf)
    const stored = new Map(rows.map((row) => [row.key, row.codes]))
    for (const [key, codes] of this.acknowledged) {
      check(
        stored.get(key)?.join() === codes.join(),
        `${key}: acknowledged ${codes}, stored ${stored.get(key)}`,
      )
    }
    const all = rows.flatMap((row) => row.codes)
    check(new Set(all).size === all.length && all.length === this.work.length, 'no ticket is doubled')
    check(
      await verify(opened, (finding) =>
        check(finding.broken === 0, `${finding.invariant} (${finding.examples})`),
      ),
      'event verify holds',
    )
    this.report.tickets = all.length
    await opened.close()
  }
}

/** Kills something in the middle of claims, round after round, and compares what was answered with what is stored. */
export async function proveCrash(victim: Victim, rounds: number): Promise<CrashReport> {
  const folder = mkdtempSync(join(tmpdir(), 'anniversary-crash-'))
  const open = () => openDatabase({ folder }, () => undefined)
  const cluster = await openCluster(folder)
  let api: ApiProcess | undefined
  try {
    const database = await open()
    await checkPeppers(database, [PEPPER])
    await syncMissions(database)
    const claimer = new Claimer(
      await addPlayers(database, 'crash', PLAYERS_A_ROUND * rounds),
      () => api?.log() ?? '',
    )
    await database.close()
    let server = await startApi({ DATA_DIR: folder })
    api = server
    for (let round = 0; round < rounds; round++) {
      const claiming = claimer.run(() => server.origin)
      await sleep(150 + ((round * 97) % 350))
      const postgres = cluster.pid()
      check(postgres !== undefined, 'a Postgres runs')
      if (victim !== 'postgres') await server.crash()
      if (victim === 'api') check(cluster.pid() === postgres, 'Postgres outlives the API')
      else killServer(postgres ?? 0)
      claimer.crashed()
      if (victim !== 'postgres') {
        server = await startApi({ DATA_DIR: folder })
        api = server
      }
      if (victim === 'api') check(cluster.pid() === postgres, 'the next start adopts Postgres')
      await claimer.recovered()
      claimer.stop()
      await claiming
      claimer.report.rounds++
    }
    await claimer.settle(server.origin, open)
    await server.stop()
    check(cluster.pid() === undefined, 'the last to leave stops Postgres')
    return claimer.report
  } finally {
    await api?.stop()
    await cluster.stop()
    cluster.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

await proof(
  import.meta.url,
  'kill -9 under load of the API, of its Postgres, and of both; and a full disk.',
  [{ name: 'rounds', about: 'kills of each', usual: 20, least: 1 }],
  async (rounds = 0) => {
    const table: Record<string, CrashReport> = {}
    for (const victim of ['api', 'postgres', 'both'] as const) {
      console.log(`kill -9 of ${victim}, ${rounds} rounds …`)
      table[victim] = await proveCrash(victim, rounds)
    }
    console.table(table)
    console.log(await proveDiskFull())
    return 'every acknowledged ticket is there, none is doubled, nothing is stuck'
  },
)
