import type { FastifyInstance } from 'fastify'
import { statement } from '../database/database.ts'
import type { Context } from '../http/context.ts'

const ping = statement('ping', 'SELECT 1')

/** `/livez`: the process turns; `/healthz`: it can serve members, its database answers. */
export function healthRoutes({ database }: Context) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get('/livez', async () => ({ status: 'ok' }))
    app.get('/healthz', async () => {
      await database.query(ping)
      return { status: 'ok' }
    })
  }
}
