import { afterAll, beforeAll, expect, test } from '@jest/globals'
import pg from 'pg'
import type { Database, Queryable } from '../src/database/database.ts'
import { openDatabase } from '../src/database/open.ts'
import { verify } from '../src/operator/verify.ts'
import { newDatabaseUrl } from './database.ts'
import { partitionTables } from './partitions.ts'
import { LINKS, startTestApi, type TestApi } from './test-api.ts'

let url: string
let api: TestApi
const sent: { readonly name: string; readonly text: string; readonly values: readonly unknown[] }[] = []

/** Keeps what is sent to the database. */
function recorded(database: Database): Database {
  const keeping = (db: Queryable): Queryable => ({
    query(statement, values = []) {
      sent.push({ name: statement.name, text: statement.text, values })
      return db.query(statement, values)
    },
  })
  return {
    ...database,
    ...keeping(database),
    transaction: (work) => database.transaction((tx) => work(keeping(tx))),
  }
}

beforeAll(async () => {
  url = await newDatabaseUrl()
  if (process.env.PARTITIONED !== '1') await partitionTables(url)
  const database = await openDatabase({ url }, (error) => console.error(error))
  api = await startTestApi({ database: recorded(database), env: { CLAIM_SETS: '0' } })
})
afterAll(() => api.close())

interface Plan {
  readonly 'Relation Name'?: string
  readonly Plans?: readonly Plan[]
}

/** Every table of a plan, a partition by its own name. */
const tablesOf = (plan: Plan): string[] => [
  ...(plan['Relation Name'] ? [plan['Relation Name']] : []),
  ...(plan.Plans ?? []).flatMap(tablesOf),
]
const partitionOf = (table: string): string | undefined => /_p(\d+)$/.exec(table)?.[1]

/** Sends every call of a member, each in every way that has statements of its own. */
async function callEverything(): Promise<void> {
  const account = await api.addMember({ addressRequired: true })
  await api.act(account, ['2025-08-11', 'deposit', 300])
  for (const day of [12, 13, 14, 15]) await api.act(account, [`2025-08-${day}`, 'deposit', 1])
  sent.length = 0

  const token = (await api.login(account)).body.data.sign
  const post = (path: string, payload: object = {}) =>
    api.call({ url: `/api/client/${path}`, token, payload })
  const claim = async (mission: string, proof: object = {}) =>
    (await api.claim(token, mission, proof)).body.data
  await post('update-info', { fullname: 'An', phone_number: '0900', address: 'Huế' })
  expect(await api.states(token)).toBe('203002')
  const [code] = await claim('NAP_300')
  expect(await claim('NAP_300')).toEqual([code])
  expect(await claim('CUOC_5000')).toBeNull()
  const streak = { startTimeStreak: '2025-08-11', endTimeStreak: '2025-08-15' }
  expect((await claim('NAP_STREAK', streak)).code).toHaveLength(1)
  expect(await claim('CHIASE', { share_links: LINKS })).toHaveLength(1)
  const before = sent.length
  await api.win(code)
  sent.length = before
  expect((await api.trade(token)).body.data).toHaveLength(1)
  const history = (await api.call({ url: '/api/client/history', token })).body.data
  expect(history.giftcode_trade).toHaveLength(1)
  expect((await api.check('code', code)).body.data.valid).toBe(true)
  expect((await api.check('username', account)).body.data.stages[0].tickets).toBe(3)
  expect((await post('logout')).body.data).toBe(true)
}

test('on partitioned tables every statement of a member’s calls touches his partition alone', async () => {
  await callEverything()
  const metrics: string = (await api.call({ url: '/metrics' })).body
  const answered = metrics.matchAll(/_count\{method="\w+",route="(\/api\/client\/[^"]+)",status="(\d+)"\}/g)
  const { paths } = (await api.call({ url: '/api/docs' })).body
  expect([...answered].map(([, route, status]) => `${route} ${status}`).sort()).toEqual(
    Object.keys(paths)
      .filter((path) => path.startsWith('/api/client/'))
      .map((path) => `${path} 200`)
      .sort(),
  )

  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const touched: { name: string; partitions: string }[] = []
  for (const { name, text, values } of sent) {
    const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${text}`, [...values])
    const partitions = new Set(
      tablesOf(rows[0]['QUERY PLAN'][0].Plan).flatMap((table) => partitionOf(table) ?? []),
    )
    if (partitions.size > 0) touched.push({ name, partitions: [...partitions].join(' ') })
  }
  await client.end()
  expect(touched.length).toBeGreaterThan(10)
  const [home] = touched
  expect(
    touched.filter(({ partitions }) => partitions !== home?.partitions || partitions.includes(' ')),
  ).toEqual([])
  expect(await verify(api.database, () => undefined)).toBe(true)
})
