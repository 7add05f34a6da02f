import { styleText } from 'node:util'
import { HOST_NAME } from '@anniversary/deploy/builds/read-build'
import type { ReportAnswers } from '@anniversary/deploy/cli/reading-commands'
import { boldText, dimText, textTable, timeAgo } from '@anniversary/deploy/cli/text'
import { composedRemoteOf } from '@anniversary/deploy/site/compose'
import { currentSiteRecord, type SiteRecord } from '@anniversary/deploy/site/record'
import { FACTS } from '@anniversary/shared/contract/report'
import { FACT_TITLES, formatShare, releaseRole } from '../health.ts'
import { type ErrorGroup, groupPageErrors, readPageErrors } from '../reports/page-errors.ts'
import { readVersionViews, type VersionViews } from '../reports/page-views.ts'
import { placeText } from '../reports/source-places.ts'

export const serverReports: ReportAnswers = {
  async errors(target, remote, hours) {
    await currentSiteRecord(target)
    const groups = await groupPageErrors(target, await readPageErrors(hours, remote))
    const none = `No page has reported an error in the last ${hours} hours.`
    return { json: groups, text: groups.map(errorText).join('\n') || none }
  },

  async health(target, remote, hours) {
    const site = await currentSiteRecord(target)
    if (remote !== HOST_NAME) composedRemoteOf(site, remote)
    const versions = await readVersionViews(hours, remote)
    if (versions.length > 0) return { json: versions, text: healthText(versions, site) }
    return { json: [], text: `Prometheus has counted no view in the last ${hours} hours.` }
  },
}

function errorText(group: ErrorGroup): string {
  const { remote, phase, message, count, versions, routes, firstAt, lastAt } = group
  const places = group.places.map((place) => `    ${placeText(place)}`)
  const where = `    ${routes.join(', ')} in ${versions.join(', ')}`
  return [
    `${boldText(`${count} ×`)} ${remote} ${styleText('red', phase)}: ${message}`,
    ...places.slice(0, 1),
    ...places.slice(1).map(dimText),
    dimText(`${where}; first ${timeAgo(firstAt)}, last ${timeAgo(lastAt)}`),
  ].join('\n')
}

function healthText(versions: readonly VersionViews[], site: SiteRecord): string {
  const titles = FACTS.map((fact) => FACT_TITLES[fact])
  const rows = versions.map((views) => [
    boldText(views.version),
    releaseRole(site, views),
    String(views.seen),
    ...FACTS.map((fact) => formatShare(views[fact], views.seen)),
  ])
  return textTable([['version', '', 'views', ...titles].map(dimText), ...rows])
}
