import { envelope } from '@anniversary/shared/contract/wire'
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { BODY_PROBLEMS, HttpProblem, ok, responses } from '../server/answers.ts'
import type { Context } from '../server/context.ts'
import { serviceKeyGuard } from '../server/service-key.ts'
import { texts } from '../texts.ts'
import { complete } from './complete.ts'
import { activityBody, BATCH_LIMIT, batchData, missionCompletedBody } from './contract.ts'
import { ingest } from './ingest.ts'

/** Bytes: a full batch with the longest source, ref and account in four-byte letters. */
const BATCH_BYTES = BATCH_LIMIT * 1400

/** The service key is checked before the body is read. */
export async function backofficeRoutes(
  instance: FastifyInstance,
  { config, database, clock, metrics }: Context,
): Promise<void> {
  const hasKey = serviceKeyGuard(config.backofficeKeys)
  const app = instance.withTypeProvider<ZodTypeProvider>()
  app.addHook('onRequest', async (request) => {
    if (!hasKey(request)) throw new HttpProblem(401, texts.serviceKey)
  })
  const common = {
    tags: ['back office'],
    security: [{ serviceKey: [] }],
    response: responses(envelope(batchData), ...BODY_PROBLEMS, 401),
  }

  app.post(
    '/activity',
    {
      bodyLimit: BATCH_BYTES,
      schema: {
        ...common,
        summary: 'Deposits, bets and their reversals',
        description:
          'A batch of up to 5,000 events for the ledger, from which the server derives each mission. ' +
          'Idempotent by source and ref; order does not matter. A reversal takes back a deposit or bet: a mission ' +
          'that is no longer reached and not yet claimed becomes unreached; a ticket already given stays, and the ' +
          'mission is marked for review. An event outside the stages is stored and counts for nothing.',
        body: activityBody,
      },
    },
    async ({ body }) => {
      const data = await database.transaction((tx) => ingest(tx, body.events, clock.now()))
      metrics.batch('activity', data)
      return ok(data)
    },
  )

  app.post(
    '/mission/completed',
    {
      bodyLimit: BATCH_BYTES,
      schema: {
        ...common,
        summary: 'Missions completed by the back office’s word',
        description:
          'A batch of up to 5,000 completions. A completed mission can be claimed in the stage of completed_at, ' +
          'whatever the ledger says. Idempotent by member, stage and mission.',
        body: missionCompletedBody,
      },
    },
    async ({ body }) => {
      const data = await database.transaction((tx) => complete(tx, body.completions, clock.now()))
      metrics.batch('completed', data)
      return ok(data)
    },
  )
}
