import { reportSchema } from '@anniversary/shared/contract/report'
import { envelope } from '@anniversary/shared/contract/wire'
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { z } from 'zod'
import { HttpProblem, ok } from '../http/answers.ts'
import type { Context } from '../http/context.ts'
import { BODY_PROBLEMS, responses } from '../http/responses.ts'
import { peerKey } from '../rules/network-address.ts'
import { texts } from '../texts.ts'

/** Bytes. A report's own fields are limited to about half of it. */
const BODY_LIMIT = 4096
/** A page sends at most 50; a household's phones may all meet the same broken deploy. */
const PER_MINUTE = 120

/**
 * Counts the failures that pages report (shared/contract/report). Its limits are in memory: a broken deploy causes floods
 * of reports, which must not reach the database.
 */
export function reportRoutes({ metrics }: Context) {
  const limiter = new RateLimiterMemory({ points: PER_MINUTE, duration: 60 })

  return async (instance: FastifyInstance): Promise<void> => {
    // sendBeacon sends text: JSON to another origin would need a preflight.
    const parse = instance.getDefaultJsonParser('error', 'error')
    instance.addContentTypeParser('text/plain', { parseAs: 'string' }, (request, body, done) =>
      parse(request, String(body), done),
    )
    instance.withTypeProvider<ZodTypeProvider>().post(
      '',
      {
        bodyLimit: BODY_LIMIT,
        schema: {
          tags: ['operation'],
          summary: 'Report a failure of a remote',
          description:
            'Sent by pages as JSON, with the content type application/json or text/plain. Counted in the metric ' +
            'remote_failures_total by remote, version, phase and what came next; nothing else is kept. Limited by address.',
          body: reportSchema,
          response: responses(envelope(z.null()), ...BODY_PROBLEMS, 429),
        },
      },
      async (request) => {
        const { msBeforeNext, remainingPoints } = await limiter
          .consume(peerKey(request.ip))
          .catch(() => ({ msBeforeNext: 60_000, remainingPoints: -1 }))
        if (remainingPoints < 0)
          throw new HttpProblem(429, texts.tooMany, { retryAfterSeconds: msBeforeNext / 1000 })
        metrics.failure(request.body)
        return ok(null)
      },
    )
  }
}
