import { setTimeout as sleep } from 'node:timers/promises'
import { API_CONTRACT } from '@anniversary/shared/contract/api-version'
import { errorCode } from '@anniversary/shared/error-code'
import { buildInfo } from '../build-info.ts'
import { namedStatement } from '../database/database.ts'
import { busyProblem } from './answers.ts'
import type { App, Context } from './context.ts'
import type { Traffic } from './pressure.ts'
import { serviceKeyGuard } from './service-key.ts'

/** Changes no row, but fails on a read-only server. It needs no lock. */
const ping = { ...namedStatement('UPDATE setting SET value = value WHERE false'), writes: false }
/**
 * Needs five megabytes of the database's disk for a moment, with any `work_mem`
 * of the server.
 */
const pingWithSpace = {
  ...namedStatement(`DO $$ BEGIN
    UPDATE setting SET value = value WHERE false;
    PERFORM set_config('work_mem', '64kB', true);
    PERFORM (WITH filler AS MATERIALIZED (SELECT repeat('x', 1000) FROM generate_series(1, 5000))
      SELECT count(*) FROM filler);
  END $$`),
  writes: false,
}
/** Half of a call's deadline, so that a slow database can still answer. */
export const PING_MS = 5000
const DISK_FULL = '53100'

/**
 * `/livez`: the event loop answers. `/healthz`: the database takes writes, and
 * the server is not about to stop. After a call that met a full disk, it also
 * asks for space, until there is some. `/metrics` needs the reports key.
 */
export function healthRoutes(
  app: App,
  { config, database, metrics, now }: Context,
  traffic: Traffic,
): void {
  // A balancer that keeps its connection would lose the next call on it.
  app.addHook('onRequest', (_request, reply, done) => {
    if (traffic.leaving) reply.header('connection', 'close')
    done()
  })
  let mayBeFull = false
  let pinging: Promise<unknown> | undefined
  app.addHook('onError', (_request, _reply, error, done) => {
    if (errorCode(error) === DISK_FULL) mayBeFull = true
    done()
  })
  app.get('/livez', async () => ({
    status: 'ok',
    ...buildInfo,
    contract: API_CONTRACT,
    site: config.site,
    share_host: config.shareHost,
    ...(config.eventNow && { event_now: now().toISOString() }),
  }))
  app.get('/healthz', async () => {
    if (traffic.leaving) throw busyProblem()
    // Anybody may call this past the admission.
    pinging ??= database.query(mayBeFull ? pingWithSpace : ping).finally(() => {
      pinging = undefined
    })
    const pinged = pinging
    const silence = sleep(PING_MS, 'silent', { ref: false })
    if ((await Promise.race([pinged, silence])) === 'silent') {
      pinged.catch(() => undefined)
      throw busyProblem()
    }
    mayBeFull = false
    return { status: 'ok' }
  })
  app.get('/metrics', { preHandler: serviceKeyGuard(config.reportsKey) }, async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  )
}
