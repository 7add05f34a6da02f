import { styleText } from 'node:util'
import { HOST_NAME } from '@anniversary/deploy/builds/read-build'
import { wholeNumber } from '@anniversary/deploy/cli/arguments'
import type { DeployCommand } from '@anniversary/deploy/cli/command'
import { ago, bold, dim, table } from '@anniversary/deploy/cli/text'
import { remoteOf } from '@anniversary/deploy/site/compose'
import { currentSite, type SiteRecord } from '@anniversary/deploy/site/record'
import { FACTS } from '@anniversary/shared/contract/report'
import { FACT_TITLES, formatShare, releaseRole } from '../health.ts'
import { type ErrorGroup, groupErrors, readPageErrors } from '../reports/page-errors.ts'
import { readVersionViews, type VersionViews } from '../reports/page-views.ts'
import { placeText } from '../reports/source-places.ts'

interface ReportOptions {
  readonly hours: number
}

export function addReportCommands(program: DeployCommand): void {
  const addCommand = (name: string): DeployCommand =>
    program.command(name).option('--hours <n>', 'back from now', wholeNumber, 24)

  addCommand('errors [remote]')
    .description('Errors of members’ pages, with the file and line in the sources')
    .answers(async ({ target }, remote: string | undefined, { hours }: ReportOptions) => {
      await currentSite(target)
      const groups = await groupErrors(target, await readPageErrors(hours, remote))
      const none = `No page has reported an error in the last ${hours} hours.`
      return { json: groups, text: groups.map(errorText).join('\n') || none }
    })

  addCommand('health <remote>')
    .description(
      'Health metrics of a remote: views of its versions, and how many of them went wrong',
    )
    .answers(async ({ target }, remote: string, { hours }: ReportOptions) => {
      const site = await currentSite(target)
      if (remote !== HOST_NAME) remoteOf(site, remote)
      const versions = await readVersionViews(hours, remote)
      const none = `Prometheus has counted no view in the last ${hours} hours.`
      return { json: versions, text: versions.length > 0 ? healthText(versions, site) : none }
    })
    .examples(`  $ deploy health mf-auth                     the last day
  $ deploy health mf-auth --hours 1

DEPLOY_PROMETHEUS is the address of Prometheus. For \`deploy errors\`, DEPLOY_REPORTS_KEY is the API's
REPORTS_KEY; it is sent to DEPLOY_REPORTS alone.`)
}

function errorText(group: ErrorGroup): string {
  const { remote, phase, message, count, versions, routes, firstAt, lastAt } = group
  const [first, ...callers] = group.places.map((place) => `    ${placeText(place)}`)
  const where = `    ${routes.join(', ')} in ${versions.join(', ')}`
  return [
    `${bold(`${count} ×`)} ${remote} ${styleText('red', phase)}: ${message}`,
    ...(first ? [first] : []),
    ...callers.map(dim),
    dim(`${where}; first ${ago(firstAt)}, last ${ago(lastAt)}`),
  ].join('\n')
}

function healthText(versions: readonly VersionViews[], site: SiteRecord): string {
  const titles = FACTS.map((fact) => FACT_TITLES[fact])
  const rows = versions.map((views) => [
    bold(views.version),
    releaseRole(site, views),
    String(views.seen),
    ...FACTS.map((fact) => formatShare(views[fact], views.seen)),
  ])
  return table([['version', '', 'views', ...titles].map(dim), ...rows])
}
