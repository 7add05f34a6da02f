import { beaconSchema, reportedName, reportedRoute } from '@anniversary/shared/contract/report'
import { z } from 'zod'
import { addressLimit, addressLimiter } from '../server/address-limit.ts'
import { ok } from '../server/answers.ts'
import type { App, Context } from '../server/context.ts'
import { jsonParser } from '../server/json-body.ts'
import { serviceKeyGuard } from '../server/service-key.ts'
import { browserReportsSchema } from './browser-reports.ts'
import { collectReports } from './collect-reports.ts'
import { publishedVersions } from './published-versions.ts'
import { readErrors, readViews } from './stored-reports.ts'

/** Bytes. Each report of a browser's list repeats the whole content security policy. */
const BODY_LIMIT = 16_384
/** A page sends at most 50 failures, and several phones of a household may meet the same broken deploy. */
const PER_MINUTE = 120
/** An address counts for six views and six failures a minute, so that forged reports do not outnumber real ones. */
const COUNTED = { points: 30, seconds: 300 }

const asked = z.object({
  remote: reportedName.optional(),
  /** Of this century: the database cannot store every ISO 8601 time. */
  since: z.iso
    .datetime({ offset: true })
    .regex(/^20/)
    .transform((time) => new Date(time).toISOString())
    .optional(),
})
const dayAgo = () => new Date(Date.now() - 86_400_000).toISOString()

/** Adds the calls that take reports of pages (shared/contract/report) and answer their counts. */
export function reportRoutes(app: App, { config, database, metrics }: Context): void {
  const limitViews = addressLimiter(COUNTED.points, COUNTED.seconds)
  const limitFailures = addressLimiter(COUNTED.points, COUNTED.seconds)
  const checkPublished = publishedVersions(config.reportsSite, (err) =>
    app.log.warn({ err }, 'the published versions cannot be read'),
  )
  const guard = serviceKeyGuard(config.reportsKey)

  const collector = collectReports(database, (err) => app.log.warn({ err }, 'reports were lost'))
  app.addHook('onClose', collector.close)
  // sendBeacon sends text, since JSON to another origin would need a preflight.
  const types = ['text/plain', 'application/reports+json']
  app.addContentTypeParser<Buffer>(types, { parseAs: 'buffer' }, jsonParser(app))

  app.post(
    '',
    {
      bodyLimit: BODY_LIMIT,
      preHandler: addressLimit(PER_MINUTE, 60),
      schema: { body: z.union([beaconSchema, browserReportsSchema]) },
    },
    async ({ body, ip }) => {
      if ('views' in body)
        for (const view of body.views) {
          await checkPublished(view.remote, view.version)
          if (await limitViews(ip)) break
          metrics.view(view)
          collector.view(view)
        }
      else
        for (const failure of Array.isArray(body) ? body : [body]) {
          await checkPublished(failure['remote.name'], failure['remote.version'])
          if (await limitFailures(ip)) break
          metrics.failure(failure)
          collector.failure(failure)
        }
      return ok(null)
    },
  )

  app.get(
    '/views',
    {
      preHandler: guard,
      schema: { querystring: asked.extend({ route: reportedRoute.optional() }) },
    },
    async ({ query: { remote, route, since = dayAgo() } }) => {
      await collector.flush()
      return ok(await readViews(database, remote, since, route))
    },
  )

  app.get('/errors', { preHandler: guard, schema: { querystring: asked } }, async ({ query }) => {
    const { remote, since = dayAgo() } = query
    await collector.flush()
    return ok(await readErrors(database, remote, since))
  })
}
