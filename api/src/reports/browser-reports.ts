import { type Report, type ReportPhase, reportSchema } from '@anniversary/shared/contract/report'
import { z } from 'zod'

/**
 * Counted types of the Reporting API (https://www.w3.org/TR/reporting-1/).
 * Others are dropped.
 */
const PHASES: Readonly<Record<string, ReportPhase>> = {
  'csp-violation': 'csp',
  crash: 'error',
}

const bodySchema = z.object({
  effectiveDirective: z.string().nullish(),
  blockedURL: z.string().nullish(),
  sourceFile: z.string().nullish(),
  reason: z.string().nullish(),
})
const browserReportSchema = z.object({
  type: z.string(),
  url: z.url(),
  body: bodySchema.nullish().transform((body) => body ?? {}),
})

type Failure = Omit<Report, 'composition.number'>

/**
 * A browser's own list (`Reporting-Endpoints`). The page's release is unknown.
 */
export const browserReportsSchema = z
  .array(browserReportSchema)
  .max(50)
  .transform((reports) => reports.flatMap(failureOf))
  .pipe(z.array(reportSchema.omit({ 'composition.number': true })))

function failureOf({ type, url, body }: z.infer<typeof browserReportSchema>): Failure[] {
  const phase = PHASES[type]
  if (!phase) return []

  // What the policy keeps from an extension is no failure of the page.
  const { effectiveDirective, blockedURL, sourceFile, reason } = body
  if (/-extension\b/.test(`${sourceFile} ${blockedURL}`)) return []

  const blocked = blockedURL?.replace(/[?#].*/s, '')
  const message = [type, effectiveDirective, blocked, reason].filter(Boolean).join(' ')
  return [
    {
      'event.name': 'remote.failure',
      'remote.name': 'page',
      'remote.version': '',
      'remote.phase': phase,
      // Postgres stores no half of a character, which the cut may leave.
      'exception.message': message.slice(0, 500).replace(/\p{Cs}$/u, ''),
      'url.path': new URL(url).pathname.slice(0, 200),
    },
  ]
}
