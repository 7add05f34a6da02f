import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { runner } from 'node-pg-migrate'
import pg from 'pg'
import { newDatabaseUrl } from '../../test/database.ts'
import { startTestApi, type TestApi } from '../../test/test-api.ts'
import { verify } from '../operator/verify.ts'
import { checkPeppers } from '../pepper.ts'
import { addDrawResults } from '../repositories/giftcodes.ts'
import { ticketCode } from '../rules/ticket-code.ts'
import { migrate } from './migrate.ts'
import { openDatabase } from './open.ts'

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url))

let url: string
let api: TestApi
let client: pg.Client
beforeEach(async () => {
  url = await newDatabaseUrl()
  api = await startTestApi({ database: await openDatabase({ url }, (error) => console.error(error)) })
  client = new pg.Client({ connectionString: url })
  await client.connect()
})
afterEach(async () => {
  await client.end()
  await api.close()
})

/** Takes back every migration after this one. */
const backTo = (last: string) =>
  runner({
    dbClient: client,
    dir: migrations,
    direction: 'down',
    count: readdirSync(migrations).filter((file) => file > `${last}_~`).length,
    migrationsTable: 'schema_migration',
    log: () => undefined,
  })

interface Table {
  readonly name: string
  readonly columns: string
}

/** The tables as they are now, with the columns that 0004 and later migrations leave as they are. */
const readTables = async () =>
  (
    await client.query<Table>(
      `SELECT table_name AS name, string_agg(column_name, ', ' ORDER BY ordinal_position) AS columns
       FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name NOT IN ('session', 'schema_migration', 'setting')
         AND (table_name, column_name) NOT IN (('activity', 'id'), ('member', 'bank_hash'))
       GROUP BY 1 ORDER BY 1`,
    )
  ).rows

async function contentsOf(tables: readonly Table[]): Promise<unknown[]> {
  const contents: unknown[] = []
  for (const { name, columns } of tables) {
    const { rows } = await client.query(`SELECT ${columns} FROM ${name} ORDER BY ${columns}`)
    contents.push(name, rows)
  }
  return contents
}

// Partitioned tables have other keys to take back.
const onWholeTables = process.env.PARTITIONED === '1' ? test.skip : test
onWholeTables(
  '0004 keeps everything but the sessions, and finds the codes that were given before it',
  async () => {
    await checkPeppers(api.database, api.peppers)
    const { account, token } = await api.addSession()
    await api.act(account, ['2025-08-11', 'deposit', 300], ['2025-08-11', 'bet', 5000])
    for (const mission of ['NAP_300', 'CUOC_5000']) await api.claim(token, mission)

    await backTo('0003')
    // Codes of that time name no shard: here, another member's.
    const early = [ticketCode(1000), ticketCode(1001)]
    await client.query('UPDATE ticket SET code = ($1::text[])[slot]', [early])
    const tables = await readTables()
    const before = await contentsOf(tables)
    await migrate(client)
    expect(await contentsOf(tables)).toEqual(before)
    expect(await verify(api.database, () => undefined)).toBe(true)

    expect((await api.claim(token, 'NAP_300')).status).toBe(401)
    const { sign } = (await api.login(account)).body.data
    expect((await api.claim(sign, 'NAP_300')).body.data).toEqual([early[0]])

    const check = { site: api.config.site, by: 'code', value: early[1] }
    const found = await api.call({ method: 'POST', url: '/api/client/check', payload: check })
    expect(found.body.data).toMatchObject({ valid: true, stage: 1 })
    await addDrawResults(
      api.database,
      [{ ticketCode: early[0] ?? '', draw: 1, prize: 'p', giftcode: 'G' }],
      api.now(),
    )
    const trade = await api.call({ method: 'POST', url: '/api/client/lottery/trade-giftcode', token: sign })
    expect(trade.body.data).toHaveLength(1)

    // There and back again: nothing is lost either way.
    const traded = await contentsOf(tables)
    await backTo('0003')
    await migrate(client)
    expect(await contentsOf(tables)).toEqual(traded)
    expect(await verify(api.database, () => undefined)).toBe(true)
  },
)
