import { styleText } from 'node:util'
import type { Command } from 'commander'
import { ago, milliseconds, percent } from '../format.ts'
import { type ErrorGroup, groupErrors } from '../reports/group-errors.ts'
import { type ReportSource, readErrors, readFigures, reportSource } from '../reports/report-source.ts'
import { type VersionHealth, versionHealth } from '../reports/version-health.ts'
import { currentSite, type SiteRecord } from '../site/record.ts'
import { placeText } from '../site/source-maps.ts'
import { examples, wholeNumber } from './arguments.ts'
import { contextOf, UsageError } from './context.ts'
import { printJson, say, table } from './print.ts'

interface ReportOptions {
  readonly reports?: string
  readonly hours: number
  readonly route?: string
}

/** Adds the verbs that show what members' pages have reported to the API. */
export function addReportVerbs(program: Command): void {
  const reporting = (name: string): Command =>
    program
      .command(name)
      .option('--hours <n>', 'back from now', wholeNumber, 24)
      .option('--reports <url>', "the API's /api/reports; default: DEPLOY_REPORTS, or the site's reportUrl")
      .exitOverride()

  reporting('errors [remote]')
    .description('Errors of members’ pages, with the file and line in the sources')
    .action(async (remote: string | undefined, { hours, reports }: ReportOptions, command: Command) => {
      const { target, json } = await contextOf(command)
      const source = sourceOf(await currentSite(target), reports)
      const groups = await groupErrors(target, await readErrors(source, { remote, hours }))
      if (json) printJson(groups)
      else printErrors(groups, hours, new Date())
    })

  reporting('health <remote>')
    .description('What members feel of a remote, its versions side by side, with intervals of 95 %')
    .option('--route <path>', 'on this route only')
    .action(async (remote: string, { hours, reports, route }: ReportOptions, command: Command) => {
      const { target, json } = await contextOf(command)
      const record = await currentSite(target)
      const figures = await readFigures(sourceOf(record, reports), { remote, hours, route })
      const versions = figures.map(versionHealth)
      if (json) printJson(versions)
      else printHealth(versions, record.remotes[remote], hours)
    })
    .addHelpText(
      'after',
      examples(`  $ deploy health mf-auth                     the last day
  $ deploy health mf-auth --hours 1 --route /check

DEPLOY_REPORTS_KEY is the API's service key, which it wants from other machines.`),
    )
}

/** @throws UsageError when neither an option, the environment nor the site names it */
export function sourceOf({ config }: SiteRecord, given: string | undefined): ReportSource {
  const source = reportSource(config, given)
  if (source) return source
  throw new UsageError(
    'Where does the API keep reports? Name it by --reports https://…/api/reports or in DEPLOY_REPORTS.',
  )
}

function printErrors(groups: readonly ErrorGroup[], hours: number, now: Date): void {
  if (groups.length === 0) say(`No page has reported an error in the last ${hours} hours.`)
  for (const { remote, phase, message, count, versions, routes, places, firstAt, lastAt } of groups) {
    say(`${styleText('bold', `${count} ×`)} ${remote} ${styleText('red', phase)}: ${message}`)
    for (const [n, place] of places.entries())
      say(n === 0 ? `    ${placeText(place)}` : styleText('dim', `    ${placeText(place)}`))
    say(
      styleText(
        'dim',
        `    ${routes.join(', ')} in ${versions.join(', ')}; first ${ago(firstAt, now)}, last ${ago(lastAt, now)}`,
      ),
    )
  }
}

type Shown = (health: VersionHealth) => { value: number; low: number; high: number } | null | undefined

const thousandths = (value: number): string => (value / 1000).toFixed(3)

const ROWS: readonly [title: string, unit: (value: number) => string, of: Shown][] = [
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

function printHealth(
  versions: readonly VersionHealth[],
  remote: SiteRecord['remotes'][string] | undefined,
  hours: number,
): void {
  if (versions.length === 0) say(`No page has reported a view in the last ${hours} hours.`)
  const role = (version: string) =>
    version === remote?.current.version
      ? 'current'
      : version === remote?.canary?.release.version
        ? 'canary'
        : ''
  table([
    ['', ...versions.map(({ version }) => styleText('bold', version))],
    ['', ...versions.map(({ version }) => styleText('dim', role(version)))],
    ['views', ...versions.map(({ views }) => String(views))],
    ...ROWS.map(([title, unit, of]) => [
      title,
      ...versions.map((health) => {
        const estimate = of(health)
        return estimate
          ? `${unit(estimate.value)} ${styleText('dim', `${unit(estimate.low)} – ${unit(estimate.high)}`)}`
          : styleText('dim', '-')
      }),
    ]),
  ])
}
