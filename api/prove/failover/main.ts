import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import { errorMessage } from '@anniversary/shared/error-message'
import { Command } from 'commander'
import pg from 'pg'
import { openDatabase } from '../../src/database/open.ts'
import { type ApiProcess, PEPPER, startApi } from '../api-process.ts'
import { contradictions, type StoredTicket } from '../claim-history.ts'
import { addPlayers, seed } from '../members.ts'
import { type Mode, missingPackages, startCluster } from './cluster.ts'
import { FAILOVERS, type Fault, SMALLER_FAULTS } from './faults.ts'
import { lostAndDoubled, summary, twoPrimaries, type Window } from './findings.ts'
import { startLoad } from './load.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** Enough for the claims of one round. */
const PLAYERS = 800
const COUNTER_ROUNDS = 2

async function queried<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client(url)
  await client.connect()
  return (await client.query<Row>(sql).finally(() => client.end())).rows
}

/** One cluster, one load, faults in turn. @param folder of the cluster */
async function measure(folder: string, mode: Mode, rounds: number) {
  const cluster = await startCluster(folder, mode)
  const apis: ApiProcess[] = []
  try {
    const players = await seed({ url: cluster.url }, PLAYERS)
    for (const _ of ['one', 'another']) apis.push(await startApi({ DATABASE_URL: cluster.url }))
    const load = await startLoad(cluster, apis)
    load.add(players)
    const timeline = async () =>
      (await cluster.members()).find(({ role }) => role === 'leader')?.timeline ?? 0
    const firstTimeline = await timeline()
    const windows: Window[] = []
    const strike = async (fault: Fault) => {
      const from = performance.now()
      await fault.strike({ cluster, load, apis })
      await cluster.whole()
      await load.acknowledged()
      const window = { fault: fault.name, from, to: performance.now() }
      windows.push(window)
      return `${fault.name}: ${summary(load.calls.slice(-20_000), [window])['gap p50 s']} s`
    }
    for (let round = 0; round < rounds; round++) {
      if (load.left() < PLAYERS * 6) {
        const database = await openDatabase({ url: cluster.url }, () => undefined)
        load.add(await addPlayers(database, `round${round}-`, PLAYERS))
        await database.close()
      }
      for (const faults of [FAILOVERS, SMALLER_FAULTS]) {
        const fault = faults[round % faults.length]
        if (fault) console.log(`${mode}, round ${round + 1} of ${rounds}, ${await strike(fault)}`)
      }
    }
    await load.end()

    const stored = await queried<StoredTicket>(
      cluster.url,
      'SELECT o.account AS member, t.mission, t.code FROM ticket t JOIN member o ON o.id = t.member_id',
    )
    const kept = new Set(
      (await queried<{ id: string }>(cluster.url, 'SELECT id FROM direct_write')).map(({ id }) => id),
    )
    const { acknowledged, lostAt, doubled } = lostAndDoubled(load.observations, stored)
    const found = contradictions(load.observations, stored, { cap: TICKETS_PER_STAGE, worth: () => 1 })
    const env = { ...process.env, DATABASE_URL: cluster.url, LOGIN_PEPPER: PEPPER }
    const verify = spawnSync('npm', ['run', 'event', '--', 'verify'], { cwd: ROOT, env })
    const table = Object.fromEntries(
      [...FAILOVERS, ...SMALLER_FAULTS].map(({ name }) => {
        const own = windows.filter(({ fault }) => fault === name)
        const lost = lostAt.filter((at) => own.some(({ from, to }) => at >= from && at <= to)).length
        return [name, { ...summary(load.calls, own), lost }]
      }),
    )
    const failovers = windows.filter(({ fault }) => FAILOVERS.some(({ name }) => name === fault))
    return {
      table,
      failovers: summary(load.calls, failovers),
      all: summary(load.calls, [{ fault: 'any', from: 0, to: Number.POSITIVE_INFINITY }]),
      end: {
        'claims acknowledged': acknowledged,
        lost: lostAt.length,
        doubled,
        contradictions: found.length,
        'direct writes acknowledged': load.writes.length,
        'direct writes lost': load.writes.filter(({ id }) => !kept.has(id)).length,
        'direct writes of two primaries': twoPrimaries(load.writes),
        'event verify': verify.status,
        promotions: (await timeline()) - firstTimeline,
        'load of the machine': Math.round(loadavg()[1] ?? 0),
      },
      sentences: [
        ...new Set(load.calls.filter(({ status }) => status === 503).map(({ message }) => message)),
      ],
      firstContradictions: found.slice(0, 5),
    }
  } finally {
    await Promise.all(apis.map((api) => api.crash()))
    cluster.stop()
  }
}

/** @returns what was proved. @throws Error with what does not hold */
async function prove(mode: Mode, rounds: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'anniversary-failover-'))
  chmodSync(folder, 0o755)
  const figures = await measure(folder, mode, rounds).catch((error: unknown) => {
    throw new Error(`${errorMessage(error)} (logs: ${folder}/log)`, { cause: error })
  })
  console.table(figures.table)
  console.table({ 'all failovers': figures.failovers })
  console.log(figures.end)
  const results = join(ROOT, 'bench/results')
  mkdirSync(results, { recursive: true })
  writeFileSync(join(results, `failover-${mode}.json`), JSON.stringify({ rounds, ...figures }, null, 2))
  const { all, end } = figures
  if (mode !== 'synchronous') {
    if (end.lost === 0)
      throw new Error(`${mode}: nothing was lost, so the checker proves nothing (logs: ${folder}/log)`)
    rmSync(folder, { recursive: true })
    return `${mode}: ${end.lost} of ${end['claims acknowledged']} acknowledged claims were lost, and the checker saw it`
  }
  const broken = Object.entries({
    'claims lost': end.lost,
    'claims doubled': end.doubled,
    contradictions: end.contradictions,
    'direct writes lost': end['direct writes lost'],
    'direct writes of two primaries': end['direct writes of two primaries'],
    'exit code of event verify': end['event verify'],
    'answers 500': all['answers 500'],
    'other answers': all['other answers'],
    '503 without retry-after': all['answers 503'] - all['with retry-after'],
    '503 without a sentence': all['answers 503'] - all['with a sentence'],
    'calls over 12 s': all['over 12 s'],
    'failovers missing': Math.max(0, rounds - end.promotions),
  }).filter(([, count]) => count !== 0)
  if (broken.length > 0)
    throw new Error(
      `${broken.map(([what, count]) => `${what}: ${count}`).join(', ')}; ${figures.firstContradictions.join('; ')} (logs: ${folder}/log)`,
    )
  rmSync(folder, { recursive: true })
  return `${end.promotions} failovers: every acknowledged claim is stored, once, with the code that was answered`
}

const program = new Command('npm run prove:failover --')
  .description('A Postgres cluster under Patroni whose parts die under load, and the counter-proof.')
  .argument('[rounds]', 'each is a failover and a smaller fault', '10')
  .option('--async', 'the counter-proof alone: asynchronous replication loses acknowledged claims')
  .option('--etcd3', "the trap alone: Patroni 3.0.2 loses acknowledged claims over etcd's v3 API")
  .parse()
const rounds = Number(program.args[0] ?? 10)
const { async: isAsync, etcd3: isEtcd3 } = program.opts<{ async?: true; etcd3?: true }>()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
const missing = missingPackages()
try {
  if (missing) console.log(`skipped: ${missing}`)
  else if (isAsync || isEtcd3)
    console.log(`proved: ${await prove(isAsync ? 'asynchronous' : 'etcd3', rounds)}`)
  else {
    console.log(`proved: ${await prove('synchronous', rounds)}`)
    console.log(`proved: ${await prove('asynchronous', COUNTER_ROUNDS)}`)
  }
} catch (error) {
  console.error(`not proved: ${errorMessage(error)}`)
  process.exit(1)
}
