import { beaconSchema, errorsSchema, viewCountsSchema } from '@anniversary/shared/contract/report'
import { envelope } from '@anniversary/shared/contract/wire'
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { z } from 'zod'
import { addressLimit, networkKeys } from '../server/address-limit.ts'
import { BODY_PROBLEMS, ok, responses } from '../server/answers.ts'
import type { Context } from '../server/context.ts'
import { jsonParser } from '../server/json-body.ts'
import { operatorGuard } from '../server/service-key.ts'
import { collectReports } from './collect-reports.ts'
import { readErrors, readViews } from './stored-reports.ts'

/** Bytes. A report's own fields are limited to about that. */
const BODY_LIMIT = 4096
/** A page sends at most 50 failures; a household's phones may all meet the same broken deploy. */
const PER_MINUTE = 120
/** Views that count, so that forged ones do not outnumber members': six a minute of an address, sixty of an IPv6 /48. */
const VIEWS_OF_ADDRESS = { points: 30, duration: 300 }
const VIEWS_OF_NETWORK = { points: 300, duration: 300 }

const asked = z.object({
  remote: z.string().max(64).optional(),
  /** Default: a day ago. */
  since: z.iso.datetime({ offset: true }).optional(),
})
const dayAgo = () => new Date(Date.now() - 86_400_000).toISOString()

/**
 * Takes in what pages report (shared/contract/report), and answers what it amounts to. Its limits are in memory: a
 * broken deploy causes floods of reports, which must not reach the database.
 */
export async function reportRoutes(
  instance: FastifyInstance,
  { config, database, metrics }: Context,
): Promise<void> {
  const ofAddress = new RateLimiterMemory(VIEWS_OF_ADDRESS)
  const ofNetwork = new RateLimiterMemory(VIEWS_OF_NETWORK)
  async function counts(ip: string): Promise<boolean> {
    const [address, network] = networkKeys(ip)
    try {
      await ofAddress.consume(address)
      if (network) await ofNetwork.consume(network)
      return true
    } catch {
      return false
    }
  }
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
        summary: 'Report a failure of a remote, or the views of a visit',
        description:
          'Sent by pages as JSON, with the content type application/json or text/plain. Limited by address; views ' +
          'above six a minute are not counted. Failures are counted in the metric remote_failures_total, views in ' +
          'remote_views_total, by remote and version; errors and hourly counts of views are kept for 30 days.',
        body: beaconSchema,
        response: responses(envelope(z.null()), ...BODY_PROBLEMS, 429),
      },
    },
    async ({ body, ip }) => {
      if (body['event.name'] === 'remote.failure') {
        metrics.failure(body)
        collector.failure(body)
      } else {
        for (const view of body.views) {
          if (!(await counts(ip))) break
          metrics.view(view)
          collector.view(view)
        }
      }
      return ok(null)
    },
  )

  app.get(
    '/views',
    {
      preHandler: guard,
      schema: {
        tags: ['operation'],
        summary: 'What members feel: views by remote and version, and how many of them went wrong',
        description: 'Open to the machine itself; from elsewhere with the service key.',
        security: [{}, { serviceKey: [] }],
        querystring: asked.extend({ route: z.string().max(64).optional() }),
        response: responses(envelope(viewCountsSchema), 400, 401),
      },
    },
    async ({ query: { remote, route, since = dayAgo() } }) => {
      await collector.flush()
      return ok(await readViews(database, remote, since, route))
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
        querystring: asked,
        response: responses(envelope(errorsSchema), 400, 401),
      },
    },
    async ({ query: { remote, since = dayAgo() } }) => {
      await collector.flush()
      return ok(await readErrors(database, remote, since))
    },
  )
}
