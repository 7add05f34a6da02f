import { setTimeout as sleep } from 'node:timers/promises'
import { statement } from '../database/database.ts'
import { busy } from './answers.ts'
import type { App, Context } from './context.ts'

/** Changes nothing, but a server that only reads refuses it. It waits for no lock, so it goes where lists do. */
const ping = { ...statement('UPDATE setting SET value = value WHERE false'), writes: false }
const PING_MS = 1000

const ok = { status: 'ok' }

/** Liveness, `/livez`: the event loop answers. Readiness, `/healthz`: the database answers too, and takes writes. */
export function healthRoutes(app: App, { database }: Context): void {
  app.get('/livez', async () => ok)
  app.get('/healthz', async () => {
    const pinged = database.query(ping)
    const silence = sleep(PING_MS, 'silent', { ref: false })
    if ((await Promise.race([pinged, silence])) !== 'silent') return ok
    pinged.catch(() => undefined)
    throw busy()
  })
}
