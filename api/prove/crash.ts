import { join } from 'node:path'
import { killServer, serverPid } from '../test/postgres.ts'
import { type ApiProcess, startApi } from './api-process.ts'
import { seedFor, underKills } from './claims.ts'
import { check, inFolder, proof } from './report.ts'

const CALLS_A_KILL = 2500

/** The API and the Postgres that it manages: the API's death leaves Postgres to the next start, a dead one is started. */
const proveCrash = (kills: number): Promise<{ [figure: string]: number }> =>
  inFolder(async (folder) => {
    const players = await seedFor({ folder }, CALLS_A_KILL * kills)
    const pid = () => serverPid(join(folder, 'postgres'))
    const apis: ApiProcess[] = [await startApi({ DATA_DIR: folder })]
    const death = (victim: 'api' | 'postgres' | 'both') => async () => {
      const postgres = pid() ?? 0
      check(postgres > 0, 'a Postgres runs')
      if (victim !== 'postgres') await apis[0]?.crash()
      if (victim === 'api') check(pid() === postgres, 'Postgres outlives the API')
      else killServer(postgres)
      const diedAt = performance.now()
      if (victim !== 'postgres') apis[0] = await startApi({ DATA_DIR: folder })
      if (victim === 'api') check(pid() === postgres, 'the next start adopts Postgres')
      return diedAt
    }
    try {
      const scene = { place: { folder }, apis, deaths: [death('api'), death('postgres'), death('both')] }
      const report = await underKills(scene, players, CALLS_A_KILL * kills, kills)
      await apis[0]?.stop()
      check(pid() === undefined, 'the last to leave stops Postgres')
      return report
    } finally {
      await apis[0]?.stop()
    }
  })

await proof(import.meta.url, { kills: 60 }, async ({ kills }) => {
  console.table(await proveCrash(kills))
  return 'every acknowledged ticket is there, none is doubled, nothing is stuck'
})
