import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { statement } from '../database/database.ts'
import type { Context } from '../http/context.ts'
import { responses } from '../http/responses.ts'

const ping = statement('ping', 'SELECT 1')
const status = z.object({ status: z.literal('ok') })
const ok = { status: 'ok' } as const

/** Liveness, `/livez`: the event loop answers. Readiness, `/healthz`: the database answers too. */
export function healthRoutes({ database }: Context) {
  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()
    app.get(
      '/livez',
      { schema: { tags: ['operation'], summary: 'Liveness', response: { 200: status } } },
      async () => ok,
    )
    app.get(
      '/healthz',
      {
        schema: {
          tags: ['operation'],
          summary: 'Readiness: the database answers',
          response: responses(status),
        },
      },
      async () => {
        await database.query(ping)
        return ok
      },
    )
  }
}
