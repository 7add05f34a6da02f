import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { campaignProblems } from '@anniversary/shared/contract/campaign'
import { errorCode } from '@anniversary/shared/error-code'
import { buildApp } from './app.ts'
import { recountStaleDays } from './backoffice/deposit-days.ts'
import { buildInfo } from './build-info.ts'
import { openDatabase } from './database/open.ts'
import { loadDemoMembers } from './demo/load-demo.ts'
import { buildDeskServer } from './desk/server.ts'
import { sweepExpiredLogins } from './login/login-guard.ts'
import { syncMissions } from './missions/mission-list.ts'
import { pruneErrorReports } from './reports/stored-reports.ts'
import type { ApiConfig } from './server/config.ts'
import { startEventClock } from './server/event-clock.ts'
import { loggerOptions, openLog } from './server/observe.ts'
import { openLoginKeys } from './server/pepper.ts'
import { StartupError } from './startup-error.ts'

export { StartupError }

export type Api = Awaited<ReturnType<typeof createApi>>

const API_PATH = /^\/(api(\/.*)?|healthz|livez|metrics)(\?.*)?$/

export const isPathOfApi = (url: string): boolean => API_PATH.test(url)

/** Time for requests in flight after the drain. */
export const GRACE_MS = 15_000
const DRAIN_MS = 10_000
const LOG_MS = 1000
const SWEEP_MS = 3_600_000

/** @throws StartupError */
export async function createApi(config: ApiConfig) {
  const problems = campaignProblems()
  if (problems.length > 0) throw new StartupError(`shared/campaign: ${problems.join('; ')}`)
  const traffic = { inFlight: 0, leaving: false, draining: false }
  let warn = (error: unknown) => console.error(error)
  const database = await openDatabase(config, (error) => warn(error), { opensAll: true })
  try {
    const loginKeys = await openLoginKeys(database, config.loginPepper)
    await syncMissions(database)
    if (config.demo) await loadDemoMembers({ config, database, loginKeys })
    const now = await startEventClock(database, config.eventNow)
    const app = await buildApp({
      config,
      database,
      now,
      loginKeys,
      traffic,
      logger: { ...loggerOptions(config.logLevel), stream: openLog() },
    })
    warn = (err) => app.log.warn({ err }, 'database trouble')
    if ([...config.backofficeKey, ...config.reportsKey].some((key) => key.length < 16))
      app.log.warn('a service key is shorter than 16 characters')
    if (config.nodeEnv === 'production' && config.eventNow)
      app.log.warn(
        { eventNow: config.eventNow },
        'EVENT_NOW is set, so the event does not run in real time: remove it before members come',
      )
    app.log.info({ ...buildInfo, node: process.version }, 'starting')
    await app.ready()
    // During an upgrade, a server of the version before may still book.
    let mayHaveStaleDays = true
    const recountDays = async () => {
      if (!mayHaveStaleDays) return
      const members = await recountStaleDays(database, () => traffic.leaving)
      mayHaveStaleDays = members > 0
      if (mayHaveStaleDays) app.log.info({ members }, 'deposit days recounted')
    }
    recountDays().catch((error: unknown) => warn(error))
    const clean = () =>
      Promise.all([sweepExpiredLogins(database), pruneErrorReports(database), recountDays()])
    const sweeper = setInterval(
      () => clean().catch((error: unknown) => warn(error)),
      SWEEP_MS,
    ).unref()

    const hasDesk = config.deskAccess.length > 0
    const desk = hasDesk
      ? buildDeskServer({ config, database, now }, (error) => warn(error))
      : undefined

    const stop = async () => {
      clearInterval(sweeper)
      // Balancers leave before any call is refused.
      traffic.leaving = true
      if (config.drainSeconds > 0) await sleep(config.drainSeconds * 1000)
      traffic.draining = true
      // A proxy gives new calls to other processes at once. Connections with an
      // unfinished call end after its answer.
      app.server.close()
      for (let waited = 0; traffic.inFlight > 0 && waited < DRAIN_MS; waited += 20) await sleep(20)
      await app.close()
      await desk?.close()
      await database.close()
      // The process ends without what the reader of the log has not taken yet.
      const { stdout } = process
      for (let waited = 0; stdout.writableLength > 0 && waited < LOG_MS; waited += 20)
        await sleep(20)
    }
    let closing: Promise<void> | undefined
    return {
      app,
      database,
      openDesk: () => desk?.listen({ host: config.host, port: config.deskPort }),
      handler: (request: IncomingMessage, response: ServerResponse) =>
        app.server.emit('request', request, response),
      /**
       * Drains, finishes requests in flight, then closes the database.
       * Idempotent.
       */
      close: () => (closing ??= stop()),
    }
  } catch (error) {
    await database.close()
    // Any other failure is a bug, whose stack is needed.
    const isSqlState = /^(?=.*\d)[\dA-Z]{5}$/.test(errorCode(error) ?? '')
    if (!isSqlState || !(error instanceof Error)) throw error
    throw new StartupError(`the database refuses: ${error.message}`, { cause: error })
  }
}
