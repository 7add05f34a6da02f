import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { LoggerOptions } from 'pino'
import { buildApp } from './app.ts'
import { type EventClock, eventClock } from './clock.ts'
import type { ApiConfig } from './config.ts'
import type { Database } from './database/database.ts'
import { openDatabase } from './database/open.ts'
import { loadDemo } from './demo/load-demo.ts'
import { checkPepper, loadPepper } from './pepper.ts'
import { syncMissions } from './repositories/missions.ts'

export { StartupError } from './startup-error.ts'

export interface Api {
  /** Ready, not listening. */
  readonly app: FastifyInstance
  handler(request: IncomingMessage, response: ServerResponse): void
  readonly clock: EventClock
  readonly database: Database
  /** Finishes requests in flight, then closes the database. Idempotent. */
  close(): Promise<void>
}

/** True for the paths that the API answers: `/api/*`, `/healthz`, `/livez`, `/metrics`. */
export function isApiPath(url: string): boolean {
  const path = url.split('?', 1)[0] ?? ''
  return path === '/api' || path.startsWith('/api/') || ['/healthz', '/livez', '/metrics'].includes(path)
}

/**
 * Opens and migrates the database, loads the demo where asked, and builds the server.
 * @throws StartupError with one line for a person
 */
export async function createApi(options: {
  config: ApiConfig
  logger?: false | LoggerOptions
}): Promise<Api> {
  const { config } = options
  const logger = options.logger ?? { level: config.logLevel }
  const clock = eventClock(config.eventNow)
  let warn = (error: unknown) => console.error(error)
  const database = await openDatabase(
    config.databaseUrl ? { url: config.databaseUrl } : { folder: config.dataDir },
    (error) => warn(error),
  )
  try {
    const pepper = loadPepper(config)
    await checkPepper(database, pepper)
    await syncMissions(database)
    if (config.demo) await loadDemo({ config, database, pepper })
    const app = await buildApp({ config, database, clock, pepper, logger })
    warn = (err) => app.log.warn({ err }, 'database trouble')
    await app.ready()
    let closing: Promise<void> | undefined
    return {
      app,
      clock,
      database,
      handler: (request, response) => app.routing(request, response),
      close() {
        closing ??= app.close().then(() => database.close())
        return closing
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}
