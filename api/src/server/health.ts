import { setTimeout as sleep } from 'node:timers/promises'
import { API_CONTRACT } from '@anniversary/shared/contract/api-version'
import { buildInfo } from '../build-info.ts'
import { statement } from '../database/database.ts'
import { busy } from './answers.ts'
import type { App, Context } from './context.ts'
import type { Traffic } from './pressure.ts'
import { serviceKeyGuard } from './service-key.ts'

/** Changes no row, but fails on a read-only server. It needs no lock, so it uses the connections for reads. */
const ping = { ...statement('UPDATE setting SET value = value WHERE false'), writes: false }
const PING_MS = 1000

/**
 * Liveness, `/livez`: the event loop answers, and says what runs. Readiness, `/healthz`: the database answers too and takes
 * writes, and the server is not about to stop. `/metrics` needs the reports key.
 */
export function healthRoutes(
  app: App,
  { config, database, metrics }: Context,
  traffic: Traffic,
): void {
  // A balancer that keeps a connection to a stopping server would lose the next call on it.
  app.addHook('onRequest', (_request, reply, done) => {
    if (traffic.leaving) reply.header('connection', 'close')
    done()
  })
  app.get('/livez', async () => ({ status: 'ok', ...buildInfo, contract: API_CONTRACT }))
  app.get('/healthz', async () => {
    if (traffic.leaving) throw busy()
    const pinged = database.query(ping)
    const silence = sleep(PING_MS, 'silent', { ref: false })
    if ((await Promise.race([pinged, silence])) !== 'silent') return { status: 'ok' }
    pinged.catch(() => undefined)
    throw busy()
  })
  app.get('/metrics', { preHandler: serviceKeyGuard(config.reportsKey) }, async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  )
}
