import { styleText } from 'node:util'
import { HOST_NAME } from '@anniversary/deploy/builds/read-build'
import { wholeNumber } from '@anniversary/deploy/cli/arguments'
import type { DeployCommand } from '@anniversary/deploy/cli/command'
import { ago, bold, dim, table } from '@anniversary/deploy/cli/text'
import { remoteOf } from '@anniversary/deploy/site/compose'
import { currentSite, type SiteRecord } from '@anniversary/deploy/site/record'
import { FACTS, type VersionCounts } from '@anniversary/shared/contract/report'
import { percent, roleIn, shareOf, TITLES } from '../health.ts'
import {
  type ErrorGroup,
  groupErrors,
  hoursBefore,
  readErrors,
  readViews,
} from '../reports/report-source.ts'
import { placeText } from '../reports/source-maps.ts'

export function addReportCommands(program: DeployCommand): void {
  const reporting = (name: string): DeployCommand =>
    program.command(name).option('--hours <n>', 'back from now', wholeNumber, 24)

  reporting('errors [remote]')
    .description('Errors of members’ pages, with the file and line in the sources')
    .answers(async ({ target }, remote: string | undefined, { hours }: { hours: number }) => {
      await currentSite(target)
      const since = hoursBefore(new Date(), hours)
      const errors = await readErrors({ remote, since })
      const groups = await groupErrors(target, errors)
      const none = `No page has reported an error in the last ${hours} hours.`
      return { json: groups, text: groups.map(errorText).join('\n') || none }
    })

  reporting('health <remote>')
    .description(
      'Health metrics of a remote: views of its versions, and how many of them went wrong',
    )
    .answers(async ({ target }, remote: string, { hours }: { hours: number }) => {
      const site = await currentSite(target)
      if (remote !== HOST_NAME) remoteOf(site, remote)
      const since = hoursBefore(new Date(), hours)
      const versions = await readViews({ remote, since })
      const none = `No page has reported a view in the last ${hours} hours.`
      return { json: versions, text: versions.length > 0 ? healthText(versions, site) : none }
    })
    .examples(`  $ deploy health mf-auth                     the last day
  $ deploy health mf-auth --hours 1

DEPLOY_REPORTS_KEY is the API's REPORTS_KEY; it is sent to DEPLOY_REPORTS alone.`)
}

function errorText(group: ErrorGroup): string {
  const { remote, phase, message, count, versions, routes, places, firstAt, lastAt } = group
  return [
    `${bold(`${count} ×`)} ${remote} ${styleText('red', phase)}: ${message}`,
    ...places.map(placeText).map((place, n) => (n === 0 ? `    ${place}` : dim(`    ${place}`))),
    dim(
      `    ${routes.join(', ')} in ${versions.join(', ')}; first ${ago(firstAt)}, last ${ago(lastAt)}`,
    ),
  ].join('\n')
}

const healthText = (versions: readonly VersionCounts[], site: SiteRecord): string =>
  table([
    ['version', '', 'views', ...FACTS.map((fact) => TITLES[fact])].map(dim),
    ...versions.map((counts) => [
      bold(counts.version),
      roleIn(site, counts),
      String(counts.views),
      ...FACTS.map((fact) => percent(shareOf(counts[fact], counts.views).value)),
    ]),
  ])
