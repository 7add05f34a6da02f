import { styleText } from 'node:util'
import type { ComposedRemote } from '@anniversary/shared/contract/composition'
import type { Estimate } from '@anniversary/shared/contract/figures'
import { ago, milliseconds, percent } from '../format.ts'
import { type ErrorGroup, groupErrors } from '../reports/group-errors.ts'
import { readErrors, readFigures, reportSource } from '../reports/report-source.ts'
import { type VersionHealth, versionHealth } from '../reports/version-health.ts'
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

type Row = [
  title: string,
  unit: (value: number) => string,
  of: (health: VersionHealth) => Estimate | null | undefined,
]
const ROWS: readonly Row[] = [
  ['errors a view', percent, ({ errorRate }) => errorRate],
  ['load failures', percent, ({ failureRate }) => failureRate],
  ['loads retried', percent, ({ retryRate }) => retryRate],
  ['LCP p75', milliseconds, ({ p75 }) => p75.lcp],
  ['INP p75', milliseconds, ({ p75 }) => p75.inp],
  ['CLS p75', thousandths, ({ p75 }) => p75.cls],
  ['page p75', milliseconds, ({ p75 }) => p75.page],
  ['  entry', milliseconds, ({ p75 }) => p75.entry],
  ['  files', milliseconds, ({ p75 }) => p75.files],
  ['  evaluation', milliseconds, ({ p75 }) => p75.evaluation],
  ['  first render', milliseconds, ({ p75 }) => p75.render],
]

function healthText(versions: readonly VersionHealth[], remote: ComposedRemote | undefined): string {
  const role = (version: string) =>
    version === remote?.current.version
      ? 'current'
      : version === remote?.canary?.release.version
        ? 'canary'
        : ''
  return table([
    ['', ...versions.map(({ version }) => bold(version))],
    ['', ...versions.map(({ version }) => dim(role(version)))],
    ['views', ...versions.map(({ views }) => String(views))],
    ...ROWS.map(([title, unit, of]) => [
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
