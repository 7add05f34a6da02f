import { type Report, type ReportPhase, reportSchema } from '@anniversary/shared/contract/report'
import { z } from 'zod'

/** Types of the Reporting API (https://www.w3.org/TR/reporting-1/) that are counted. Others are dropped. */
const PHASES: Readonly<Record<string, ReportPhase>> = {
  'csp-violation': 'csp',
  crash: 'error',
}

const detail = z.string().nullish()
const browserReport = z.object({
  type: z.string(),
  url: z.url(),
  body: z
    .object({ effectiveDirective: detail, blockedURL: detail, sourceFile: detail, reason: detail })
    .nullish(),
})

/** The list that a browser sends by itself (`Reporting-Endpoints`), as failures of a page whose release is unknown. */
export const browserReportsSchema = z
  .array(browserReport)
  .max(50)
  .transform((reports) =>
    reports.flatMap(({ type, url, body }): Omit<Report, 'composition.number'>[] => {
      const phase = PHASES[type]
      const { effectiveDirective, blockedURL, sourceFile, reason } = body ?? {}
      // What the policy keeps from an extension is no failure of the page.
      if (!phase || /-extension\b/.test(`${sourceFile} ${blockedURL}`)) return []
      const [blocked] = blockedURL?.split(/[?#]/) ?? []
      const message = [type, effectiveDirective, blocked, reason].filter(Boolean).join(' ')
      return [
        {
          'event.name': 'remote.failure',
          'remote.name': 'page',
          'remote.version': '',
          'remote.phase': phase,
          'exception.message': message.slice(0, 500),
          'url.path': new URL(url).pathname.slice(0, 200),
        },
      ]
    }),
  )
  .pipe(z.array(reportSchema.omit({ 'composition.number': true })))
