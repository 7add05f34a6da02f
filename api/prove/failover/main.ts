import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import { MISSION_CODES } from '@anniversary/shared/contract/missions'
import { errorMessage } from '@anniversary/shared/error-message'
import { Command, InvalidArgumentError, Option } from 'commander'
import { openDatabase } from '../../src/database/open.ts'
import { type ApiProcess, PEPPER, startApi } from '../api-process.ts'
import { contradictions, type StoredTicket } from '../claim-history.ts'
import { addPlayers } from '../members.ts'
import { type Mode, query, startCluster, until, whatIsMissing } from './cluster.ts'
import { FAILOVERS, type Fault, SMALLER_FAULTS } from './faults.ts'
import { lostAndDoubled, summary, twoPrimaries, type Window } from './findings.ts'
import { startLoad } from './load.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** Their claims last for a round. */
const PLAYERS_A_ROUND = 800
const COUNTER_ROUNDS = 2

/** Faults in turn, under load, in a new cluster. @param rounds each of a failover and a smaller fault */
async function measure(folder: string, mode: Mode, rounds: number) {
  const cluster = await startCluster(folder, mode)
  const { url } = cluster
  const apis: ApiProcess[] = []
  try {
    for (const _ of ['one', 'another']) apis.push(await startApi({ DATABASE_URL: url }))
    const database = await openDatabase({ url }, () => undefined)
    const load = await startLoad(cluster, apis)
    const windows: Window[] = []
    for (let round = 0; round < rounds; round++) {
      // Until its first checks are over, a HAProxy that was just started sends some connections to standbys.
      const added = await until('adding members', () =>
        addPlayers(database, `round${round}-`, PLAYERS_A_ROUND).catch(() => undefined),
      )
      for (const player of added) load.toClaim.push(...MISSION_CODES.map((mission) => ({ player, mission })))
      for (const faults of [FAILOVERS, SMALLER_FAULTS]) {
        const fault = faults[round % faults.length] as Fault // of what is not empty
        const from = performance.now()
        await fault.strike({ cluster, load, apis })
        await cluster.whole()
        await load.acknowledged()
        const window = { fault: fault.name, from, to: performance.now() }
        windows.push(window)
        const { 'gap p50 s': gap } = summary(load.calls.slice(-20_000), [window])
        console.log(`${mode}, round ${round + 1} of ${rounds}: ${window.fault}, ${gap} s without a claim`)
      }
    }
    await load.end()
    await database.close()

    const stored = await query<StoredTicket>(
      url,
      'SELECT o.account AS member, t.mission, t.code FROM ticket t JOIN member o ON o.id = t.member_id',
    )
    const kept = new Set(
      (await query<{ id: string }>(url, 'SELECT id FROM direct_write')).map(({ id }) => id),
    )
    const { acknowledged, lostAt, doubled } = lostAndDoubled(load.observations, stored)
    const found = contradictions(load.observations, stored, { cap: TICKETS_PER_STAGE, worth: () => 1 })
    const env = { ...process.env, DATABASE_URL: url, LOGIN_PEPPER: PEPPER }
    const verify = spawnSync('npm', ['run', 'event', '--', 'verify'], { cwd: ROOT, env })
    const row = ({ name }: Fault) => {
      const own = windows.filter(({ fault }) => fault === name)
      return [name, summary(load.calls, own, lostAt)] as const
    }
    const all = summary(load.calls, [{ fault: '', from: 0, to: Number.POSITIVE_INFINITY }])
    const promotions = new Set(load.writes.map(({ timeline }) => timeline)).size - 1
    return {
      table: Object.fromEntries([...FAILOVERS, ...SMALLER_FAULTS].map(row)),
      failovers: summary(
        load.calls,
        windows.filter((_, i) => i % 2 === 0),
        lostAt,
      ),
      counts: {
        'claims acknowledged': acknowledged,
        'direct writes acknowledged': load.writes.length,
        promotions,
        'load of the machine': Math.round(loadavg()[1] ?? 0),
      },
      mustBeZero: {
        'failovers missing': Math.max(0, rounds - promotions),
        'claims lost': lostAt.length,
        'claims doubled': doubled,
        contradictions: found.length,
        'direct writes lost': load.writes.filter(({ id }) => !kept.has(id)).length,
        'direct writes of a second primary': twoPrimaries(load.writes),
        'exit code of event verify': verify.status,
        'answers 500': all['500s'],
        'other answers': all.others,
        '503s without retry-after and sentence': all['503s'] - all.explained,
        'calls over 12 s': all['over 12 s'],
      },
      contradictions: found.slice(0, 5),
    }
  } finally {
    await Promise.all(apis.map((api) => api.crash()))
    cluster.stop()
  }
}

/** @throws Error with what does not hold */
async function prove(mode: Mode, rounds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'anniversary-failover-'))
  try {
    const figures = await measure(folder, mode, rounds)
    console.table({ ...figures.table, 'all failovers': figures.failovers })
    console.log(figures.counts, figures.mustBeZero)
    mkdirSync(join(ROOT, 'bench/results'), { recursive: true })
    writeFileSync(
      join(ROOT, `bench/results/failover-${mode}.json`),
      JSON.stringify({ rounds, ...figures }, null, 2),
    )
    const broken = Object.entries(figures.mustBeZero).filter(([, count]) => count !== 0)
    const lost = figures.mustBeZero['claims lost']
    if (mode === 'synchronous' && broken.length > 0)
      throw new Error([...broken.map((each) => each.join(': ')), ...figures.contradictions].join('; '))
    if (mode !== 'synchronous' && lost === 0)
      throw new Error(`${mode} lost nothing, or the checker cannot see it`)
    console.log(
      lost === 0
        ? 'proved: every acknowledged claim is stored, once, with the code that was answered'
        : `proved: ${mode} loses acknowledged claims, and the checker sees it`,
    )
  } catch (error) {
    throw new Error(`${errorMessage(error)} (logs: ${folder}/log)`, { cause: error })
  }
  rmSync(folder, { recursive: true })
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.')
  return Number(text)
}

const program = new Command('npm run prove:failover --')
  .description(
    'The cluster of docs/guides/cluster.md, whose parts die and freeze under load; then the counter-proof.',
  )
  .argument('[rounds]', 'each is a failover and a smaller fault', wholeNumber, 10)
  .addOption(new Option('--async', 'the counter-proof alone: asynchronous replication').conflicts('etcd3'))
  .option('--etcd3', "the trap alone: etcd's v3 API under Patroni 3.0.2")
  .parse()
const rounds = program.processedArgs[0] as number
const { async: isAsync, etcd3: isEtcd3 } = program.opts<{ async?: true; etcd3?: true }>()
// The processes of the proof end with it, at 'exit'.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => process.exit(1))
const missing = whatIsMissing()
try {
  if (missing) console.log(`skipped: ${missing}`)
  else if (isAsync || isEtcd3) await prove(isAsync ? 'asynchronous' : 'etcd3', rounds)
  else {
    await prove('synchronous', rounds)
    await prove('asynchronous', COUNTER_ROUNDS)
  }
} catch (error) {
  console.error(`not proved: ${errorMessage(error)}`)
  process.exit(1)
}
