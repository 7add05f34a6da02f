import { styleText } from 'node:util'
import type { ComposedRemote } from '@anniversary/shared/contract/composition'
import { ago, milliseconds, percent } from '../format.ts'
import { type ErrorGroup, groupErrors } from '../reports/group-errors.ts'
import { readErrors, readFigures, reportSource } from '../reports/report-source.ts'
import { type Measure, roleOf, type VersionHealth, versionHealth } from '../reports/version-health.ts'
import { currentSite } from '../site/record.ts'
import { placeText } from '../site/source-maps.ts'
import { wholeNumber } from './arguments.ts'
import { bold, dim, table } from './text.ts'
import type { Verb } from './verb.ts'

interface ReportOptions {
  readonly reports?: string
  readonly hours: number
  readonly route?: string
}

/** Adds the verbs that show what members' pages have reported to the API. */
export function addReportVerbs(program: Verb): void {
  const reporting = (name: string): Verb =>
    program
      .command(name)
      .option('--hours <n>', 'back from now', wholeNumber, 24)
      .option('--reports <url>', "the API's /api/reports; default: DEPLOY_REPORTS, or the site's reportUrl")

  reporting('errors [remote]')
    .description('Errors of members’ pages, with the file and line in the sources')
    .answers(async ({ target }, remote: string | undefined, { hours, reports }: ReportOptions) => {
      const { config } = await currentSite(target)
      const errors = await readErrors(reportSource(config, reports), { remote, hours })
      const groups = await groupErrors(target, errors)
      const lines = groups.map((group) => errorText(group, new Date()))
      const none = `No page has reported an error in the last ${hours} hours.`
      return { json: groups, text: lines.join('\n') || none }
    })

  reporting('health <remote>')
    .description('What members feel of a remote, its versions side by side, with intervals of 95 %')
    .option('--route <path>', 'on this route only')
    .answers(async ({ target }, remote: string, { hours, reports, route }: ReportOptions) => {
      const { config, remotes } = await currentSite(target)
      const figures = await readFigures(reportSource(config, reports), { remote, hours, route })
      const versions = figures.map(versionHealth)
      const none = `No page has reported a view in the last ${hours} hours.`
      return { json: versions, text: versions.length > 0 ? healthText(versions, remotes[remote]) : none }
    })
    .examples(`  $ deploy health mf-auth                     the last day
  $ deploy health mf-auth --hours 1 --route /check

DEPLOY_REPORTS_KEY is the API's service key, which it wants from other machines.`)
}

function errorText(group: ErrorGroup, now: Date): string {
  const { remote, phase, message, count, versions, routes, places, firstAt, lastAt } = group
  return [
    `${bold(`${count} ×`)} ${remote} ${styleText('red', phase)}: ${message}`,
    ...places.map(placeText).map((place, n) => (n === 0 ? `    ${place}` : dim(`    ${place}`))),
    dim(
      `    ${routes.join(', ')} in ${versions.join(', ')}; first ${ago(firstAt, now)}, last ${ago(lastAt, now)}`,
    ),
  ].join('\n')
}

const thousandths = (value: number): string => (value / 1000).toFixed(3)

const MEASURES: readonly Measure[] = [
  { title: 'errors a view', unit: percent, of: ({ errorRate }) => errorRate },
  { title: 'load failures', unit: percent, of: ({ failureRate }) => failureRate },
  { title: 'loads retried', unit: percent, of: ({ retryRate }) => retryRate },
  { title: 'LCP p75', unit: milliseconds, of: ({ p75 }) => p75.lcp },
  { title: 'INP p75', unit: milliseconds, of: ({ p75 }) => p75.inp },
  { title: 'CLS p75', unit: thousandths, of: ({ p75 }) => p75.cls },
  { title: 'page p75', unit: milliseconds, of: ({ p75 }) => p75.page },
  { title: '  entry', unit: milliseconds, of: ({ p75 }) => p75.entry },
  { title: '  files', unit: milliseconds, of: ({ p75 }) => p75.files },
  { title: '  evaluation', unit: milliseconds, of: ({ p75 }) => p75.evaluation },
  { title: '  first render', unit: milliseconds, of: ({ p75 }) => p75.render },
]

function healthText(versions: readonly VersionHealth[], remote: ComposedRemote | undefined): string {
  return table([
    ['', ...versions.map(({ version }) => bold(version))],
    ['', ...versions.map(({ version }) => dim(roleOf(remote, version)))],
    ['views', ...versions.map(({ views }) => String(views))],
    ...MEASURES.map(({ title, unit, of }) => [
      title,
      ...versions.map((health) => {
        const estimate = of(health)
        return estimate
          ? `${unit(estimate.value)} ${dim(`${unit(estimate.low)} – ${unit(estimate.high)}`)}`
          : dim('-')
      }),
    ]),
  ])
}
