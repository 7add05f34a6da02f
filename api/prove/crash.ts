import { join } from 'node:path'
import { killServer, serverPid } from '../test/postgres.ts'
import { type ApiProcess, startApi } from './api-process.ts'
import { seed } from './members.ts'
import { check, inFolder, proof } from './report.ts'
import { ACTIVE, underKills, WORTH } from './under-kills.ts'

/** What dies. */
type Victim = 'api' | 'postgres' | 'both'

const CALLS_A_ROUND = 2500

/** The API and the Postgres that it manages: the API's death leaves Postgres to the next start, a dead one is started. */
const proveCrash = (victim: Victim, rounds: number): Promise<{ [figure: string]: number }> =>
  inFolder(async (folder) => {
    const players = await seed({ folder }, ACTIVE + 100 * rounds, WORTH)
    const pid = () => serverPid(join(folder, 'postgres'))
    const start = () => startApi({ DATA_DIR: folder })
    const apis: ApiProcess[] = []
    const kill = async () => {
      const postgres = pid() ?? 0
      check(postgres > 0, 'a Postgres runs')
      if (victim !== 'postgres') await apis[0]?.crash()
      if (victim === 'api') check(pid() === postgres, 'Postgres outlives the API')
      else killServer(postgres)
      const diedAt = performance.now()
      if (victim !== 'postgres') apis[0] = await start()
      if (victim === 'api') check(pid() === postgres, 'the next start adopts Postgres')
      return diedAt
    }
    try {
      apis.push(await start())
      const scene = { place: { folder }, apis, kills: [kill] }
      const report = await underKills(scene, players, CALLS_A_ROUND * rounds, rounds)
      await apis[0]?.stop()
      check(pid() === undefined, 'the last to leave stops Postgres')
      return report
    } finally {
      await apis[0]?.stop()
    }
  })

await proof(import.meta.url, { rounds: 20 }, async ({ rounds }) => {
  const table: { [victim: string]: object } = {}
  for (const victim of ['api', 'postgres', 'both'] as const) {
    console.log(`kill -9 of ${victim}, ${rounds} rounds …`)
    table[victim] = await proveCrash(victim, rounds)
  }
  console.table(table)
  return 'every acknowledged ticket is there, none is doubled, nothing is stuck'
})
