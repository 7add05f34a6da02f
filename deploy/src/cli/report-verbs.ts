import { styleText } from 'node:util'
import type { ComposedRemote } from '@anniversary/shared/contract/composition'
import { FACTS, type VersionCounts } from '@anniversary/shared/contract/report'
import { roleOf, shareOf, TITLES } from '../facts.ts'
import { ago, percent } from '../format.ts'
import { type ErrorGroup, groupErrors } from '../reports/group-errors.ts'
import { hoursBefore, readErrors, readViews, reportSource } from '../reports/report-source.ts'
import { currentSite } from '../site/record.ts'
import { placeText } from '../site/source-maps.ts'
import { wholeNumber } from './arguments.ts'
import { bold, dim, table } from './text.ts'
import type { Verb } from './verb.ts'

interface ReportOptions {
  readonly reports?: string
  readonly hours: number
}

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
      const now = new Date()
      const since = hoursBefore(now, hours)
      const errors = await readErrors(reportSource(config, reports), { remote, since })
      const groups = await groupErrors(target, errors)
      const lines = groups.map((group) => errorText(group, now))
      const none = `No page has reported an error in the last ${hours} hours.`
      return { json: groups, text: lines.join('\n') || none }
    })

  reporting('health <remote>')
    .description('What members feel of a remote: views of its versions, and how many of them went wrong')
    .answers(async ({ target }, remote: string, { hours, reports }: ReportOptions) => {
      const { config, remotes } = await currentSite(target)
      const versions = await readViews(reportSource(config, reports), {
        remote,
        since: hoursBefore(new Date(), hours),
      })
      const none = `No page has reported a view in the last ${hours} hours.`
      return { json: versions, text: versions.length > 0 ? healthText(versions, remotes[remote]) : none }
    })
    .examples(`  $ deploy health mf-auth                     the last day
  $ deploy health mf-auth --hours 1

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

const healthText = (versions: readonly VersionCounts[], remote: ComposedRemote | undefined): string =>
  table([
    ['version', '', 'views', ...FACTS.map((fact) => TITLES[fact])].map(dim),
    ...versions.map((counts) => [
      bold(counts.version),
      roleOf(counts.version, remote?.current.version, remote?.canary?.release.version),
      String(counts.views),
      ...FACTS.map((fact) => percent(shareOf(counts[fact], counts.views).value)),
    ]),
  ])
