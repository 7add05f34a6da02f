import { successAnswer } from '../server/answers.ts'
import type { App, Context } from '../server/context.ts'
import { serviceKeyGuard, serviceKeyName } from '../server/service-key.ts'
import { storeCompletions } from './complete.ts'
import { activityBody, BATCH_LIMIT, missionCompletedBody } from './contract.ts'
import { ingestActivity } from './ingest.ts'

/**
 * Bytes of a full batch with the longest source, ref and account in four-byte
 * characters.
 */
export const BATCH_BYTES = BATCH_LIMIT * 1400

/** The service key is checked before the body is read. */
export function backofficeRoutes(app: App, { config, database, now, metrics }: Context): void {
  app.addHook('onRequest', serviceKeyGuard(config.backofficeKey))

  app.post(
    '/activity',
    { bodyLimit: BATCH_BYTES, schema: { body: activityBody } },
    async (request) => {
      const { events } = request.body
      const broughtBy = serviceKeyName(request)
      const data = await database.transaction((tx) => ingestActivity(tx, events, now(), broughtBy))
      metrics.batch('activity', data)
      return successAnswer(data)
    },
  )

  app.post(
    '/mission/completed',
    { bodyLimit: BATCH_BYTES, schema: { body: missionCompletedBody } },
    async ({ body }) => {
      const data = await database.transaction((tx) => storeCompletions(tx, body.completions))
      metrics.batch('completed', data)
      return successAnswer(data)
    },
  )
}
