import { errorsSchema, figuresSchema } from '@anniversary/shared/contract/figures'
import { beaconSchema } from '@anniversary/shared/contract/report'
import { envelope } from '@anniversary/shared/contract/wire'
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { addressLimit, peerKey } from '../server/address-limit.ts'
import { BODY_PROBLEMS, ok, responses } from '../server/answers.ts'
import type { Context } from '../server/context.ts'
import { jsonParser } from '../server/json-body.ts'
import { operatorGuard } from '../server/service-key.ts'
import { collectReports } from './collect-reports.ts'
import { releaseCap } from './release-cap.ts'
import { readErrors, readFigures } from './stored-reports.ts'

/** Bytes. A report's own fields are limited to about that. */
const BODY_LIMIT = 4096
/** A page sends at most 50 failures; a household's phones may all meet the same broken deploy. */
const PER_MINUTE = 120

const asked = {
  remote: z.string().max(64).optional(),
  /** Back from now. */
  hours: z.coerce.number().int().min(1).max(720).default(24),
}

/**
 * Takes in what pages report (shared/contract/report), and answers what it amounts to. Its limits are in memory: a
 * broken deploy causes floods of reports, which must not reach the database.
 */
export async function reportRoutes(
  instance: FastifyInstance,
  { config, database, metrics }: Context,
): Promise<void> {
  const cap = releaseCap()
  const guard = operatorGuard(config.backofficeKeys)

  const collector = collectReports(database, (err) => instance.log.warn({ err }, 'reports were lost'))
  instance.addHook('onClose', collector.close)
  // sendBeacon sends text: JSON to another origin would need a preflight.
  instance.addContentTypeParser<Buffer>('text/plain', { parseAs: 'buffer' }, jsonParser(instance))
  const app = instance.withTypeProvider<ZodTypeProvider>()

  app.post(
    '',
    {
      bodyLimit: BODY_LIMIT,
      preHandler: addressLimit(PER_MINUTE, 60),
      schema: {
        tags: ['operation'],
        summary: 'Report a failure of a remote, or what a visit measured',
        description:
          'Sent by pages as JSON, with the content type application/json or text/plain. Limited by address. Failures ' +
          'are counted in the metric remote_failures_total, visits in remote_views_total, by remote and version; ' +
          'errors and hourly histograms of what was measured are kept for 30 days.',
        body: beaconSchema,
        response: responses(envelope(z.null()), ...BODY_PROBLEMS, 429),
      },
    },
    async ({ body, ip }) => {
      const peer = peerKey(ip)
      if (body['event.name'] === 'remote.failure') {
        const known = await cap(peer, body['remote.name'], body['remote.version'])
        const report = { ...body, 'remote.name': known.remote, 'remote.version': known.version }
        metrics.failure(report)
        collector.failure(report)
      } else {
        for (const sent of body.views) {
          const view = { ...sent, ...(await cap(peer, sent.remote, sent.version, sent.route)) }
          metrics.view(view)
          collector.view(view)
        }
      }
      return ok(null)
    },
  )

  app.get(
    '/figures',
    {
      preHandler: guard,
      schema: {
        tags: ['operation'],
        summary: 'What members feel, by remote and version',
        description:
          'Views, views with an error or without the page, and histograms of what was measured, of the last hours. ' +
          'shared/src/contract/figures.ts says how to read a histogram. Open to the machine itself; from elsewhere ' +
          'with the service key.',
        security: [{}, { serviceKey: [] }],
        querystring: z.object({
          ...asked,
          route: z.string().max(64).optional(),
          /** Of the first hour, in place of `hours`: figures that only rise. */
          since: z.iso.datetime({ offset: true }).optional(),
          /** `hour`: a version has a row for each hour. */
          each: z.enum(['version', 'hour']).default('version'),
        }),
        response: responses(envelope(figuresSchema), 400, 401),
      },
    },
    async ({ query: { remote, hours, route, since, each } }) => {
      await collector.flush()
      return ok(await readFigures(database, remote, hours, route, since, each === 'hour'))
    },
  )

  app.get(
    '/errors',
    {
      preHandler: guard,
      schema: {
        tags: ['operation'],
        summary: 'Errors of remotes as pages report them, the last ones first',
        description: 'Open to the machine itself; from elsewhere with the service key.',
        security: [{}, { serviceKey: [] }],
        querystring: z.object(asked),
        response: responses(envelope(errorsSchema), 400, 401),
      },
    },
    async ({ query }) => {
      await collector.flush()
      return ok(await readErrors(database, query.remote, query.hours))
    },
  )
}
