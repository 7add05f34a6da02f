import { beaconSchema, reportedName } from '@anniversary/shared/contract/report'
import { z } from 'zod'
import { addressLimit, addressLimiter } from '../server/address-limit.ts'
import { successAnswer } from '../server/answers.ts'
import type { App, Context } from '../server/context.ts'
import { parseJsonBody } from '../server/json-body.ts'
import { serviceKeyGuard } from '../server/service-key.ts'
import { browserReportsSchema } from './browser-reports.ts'
import { collectErrors } from './collect-errors.ts'
import { publishedVersions } from './published-versions.ts'
import { createReportCounters } from './report-counters.ts'
import { readErrorReports } from './stored-reports.ts'

/**
 * Bytes. Each report of a browser's list repeats the whole content security
 * policy.
 */
export const REPORT_BYTES = 16_384
/**
 * A page sends at most 50 failures, and several phones share a household's
 * address.
 */
const CALLS_A_MINUTE = 120
/**
 * An address counts at most 18 in two minutes, on which the rules for canaries
 * in alerts.yml rely.
 */
export const COUNTED_A_MINUTE = 6

const DAY_MS = 86_400_000

const errorsQuery = z.object({
  remote: reportedName.optional(),
  /** Of this century: the database cannot store every ISO 8601 time. */
  since: z.iso
    .datetime({ offset: true })
    .regex(/^20/)
    .transform((time) => new Date(time).toISOString())
    .default(() => new Date(Date.now() - DAY_MS).toISOString()),
})

export function reportRoutes(app: App, { config, database, metrics }: Context): void {
  const limitViews = addressLimiter(COUNTED_A_MINUTE, 60)
  const limitFailures = addressLimiter(COUNTED_A_MINUTE, 60)
  const counters = createReportCounters(metrics.registry)
  const checkPublished = publishedVersions(config.reportsSite, (err) =>
    app.log.warn({ err }, 'the published versions cannot be read'),
  )

  const errors = collectErrors(database, (err) => app.log.warn({ err }, 'reports were lost'))
  app.addHook('onClose', errors.close)

  // sendBeacon sends text, since JSON to another origin would need a preflight.
  const types = ['text/plain', 'application/reports+json']
  app.addContentTypeParser<Buffer>(types, { parseAs: 'buffer' }, parseJsonBody(app))

  app.post(
    '',
    {
      bodyLimit: REPORT_BYTES,
      preHandler: addressLimit(CALLS_A_MINUTE, 60),
      schema: { body: z.union([beaconSchema, browserReportsSchema]) },
    },
    async ({ body, ip }) => {
      if ('views' in body) {
        for (const view of body.views) {
          await checkPublished(view.remote, view.version)
          if (await limitViews(ip)) break
          counters.countView(view)
        }
        return successAnswer(null)
      }

      const failures = Array.isArray(body) ? body : [body]
      for (const failure of failures) {
        await checkPublished(failure['remote.name'], failure['remote.version'])
        if (await limitFailures(ip)) break
        counters.countFailure(failure)
        errors.add(failure)
      }
      return successAnswer(null)
    },
  )

  app.get(
    '/errors',
    {
      preHandler: serviceKeyGuard(config.reportsKey),
      schema: { querystring: errorsQuery },
    },
    async ({ query: { remote, since } }) => {
      await errors.flush()
      return successAnswer(await readErrorReports(database, remote, since))
    },
  )
}
