import { HOST_NAME } from '@anniversary/deploy/builds/read-build'
import { timeAgo } from '@anniversary/deploy/cli/text'
import { versionInSite } from '@anniversary/deploy/site/compose'
import { type Caller, mayChangePart } from '@anniversary/deploy/site/context'
import { onlyEndsCanaries } from '@anniversary/deploy/site/history'
import { SITE_ROLLBACK, type SiteRecord } from '@anniversary/deploy/site/record'
import { CONFIGURE } from '@anniversary/deploy/verbs/configure'
import { FACTS } from '@anniversary/shared/contract/report'
import { type Html, html } from '@anniversary/shared/html-template'
import { FACT_TITLES, formatShare, RELEASE_ROLES, releaseRole, shortenVersion } from '../health.ts'
import type { ErrorGroup } from '../reports/page-errors.ts'
import type { VersionViews } from '../reports/page-views.ts'
import { type Action, actionLink } from './actions.ts'
import { type Alarm, alarmsOf } from './alarms.ts'
import { controlDocument } from './sheets.ts'
import { type ControlState, HEALTH_HOURS, mayRollBack } from './state.ts'

/** Columns that fit on a phone; reports may name invented versions. */
const MOST_VERSIONS = 3

const timeFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
  timeZone: 'Asia/Ho_Chi_Minh',
})

export function controlPage(state: ControlState, caller: Caller): Html {
  const { site, at, live, records, warnings } = state
  const now = new Date(at)
  const names = [HOST_NAME, ...Object.keys(live.remotes)]
  const alarms = alarmsOf(state)
  const packages = names.toSorted((a, b) => urgencyOf(b, live, alarms) - urgencyOf(a, live, alarms))
  const may = (name: string) => caller.may === 'everything' && mayChangePart(caller, name)
  const headline = headlineOf(alarms.length, state)
  // Without Prometheus both have the same problem.
  const texts = new Set([viewsText(state)])
  if ('problem' in state.alerts) texts.add(state.alerts.problem)

  return controlDocument(
    `${headline} · ${live.number}`,
    html`<main class="control">
<p><small>${site} for ${caller.name} as of <time datetime="${at}">${timeFormat.format(now)}</time></small></p>
<h1>${headline}</h1>
${[...texts].map((text) => html`<p>${text}</p>`)}
${alarms.map((alarm) => alarmPanel(alarm, live, may(alarm.name)))}
${warnings.map((text) => html`<p><strong>${text}</strong></p>`)}
${changePanel(state, now, may)}
<h2>Live</h2>
<div class="cards">${packages.map((name) => packageCard(state, name, may(name)))}</div>
${errorsSection(state, now)}
<h2>History</h2>
${list(records.map((record) => recordItem(record, now)))}
</main>`,
  )
}

function urgencyOf(name: string, { remotes }: SiteRecord, alarms: readonly Alarm[]): number {
  if (alarms.some((alarm) => alarm.name === name)) return 3
  if (remotes[name]?.canary) return 2
  if (name === HOST_NAME) return 0
  return 1
}

function headlineOf(alarms: number, { alerts, views }: ControlState): string {
  if (alarms > 1) return `${alarms} alarms`
  if (alarms === 1) return '1 alarm'
  if ('problem' in alerts) return 'Alarms unknown'
  if ('problem' in views) return 'No figures'
  return 'No alarm'
}

function viewsText({ views }: ControlState): string {
  if ('problem' in views) return views.problem
  const seen = views.answer.reduce((sum, { seen }) => sum + seen, 0)
  return `${seen.toLocaleString('en-GB')} views in the last ${HEALTH_HOURS} hours`
}

function alarmPanel({ name, text, remedy }: Alarm, live: SiteRecord, canAct: boolean): Html {
  const offered = canAct && remedy
  const hasCard = versionInSite(live, name) !== undefined
  return html`<div class="panel row alarm"><b>▲</b>
<p>${hasCard ? html`<a href="#${name}">${name}</a>` : name}: ${text}</p>
${offered && actionLink({ verb: offered, name, from: live.number }, 'primary')}</div>`
}

function changePanel(
  { live, records }: ControlState,
  now: Date,
  may: (name: string) => boolean,
): Html {
  const { number, createdAt, change } = live
  const { packages, verb } = change
  // A rollback of the site skips freezes, notices and repairs, continues an
  // earlier one, and is rejected after a change that only ended a canary.
  const [, before = live] = records
  const isSkipped = verb === SITE_ROLLBACK || onlyEndsCanaries(before, live)
  const isUndone = (packages.length > 0 || verb === CONFIGURE) && !isSkipped
  // A change of the configuration is about no package.
  const changed = packages.length > 0 ? packages : ['*']
  const canUndo = number > 1 && isUndone && changed.every(may)
  return html`<div class="panel row"><b>${number}</b>
<p>${change.summary} <small>${timeAgo(createdAt, now)} by ${change.by}</small></p>
${canUndo && actionLink({ verb: 'undo', name: '', from: number })}</div>`
}

function errorsSection({ errors }: ControlState, now: Date): Html {
  const title = html`<h2>Errors of the last day</h2>`
  if ('problem' in errors) return html`${title}<p>${errors.problem}</p>`
  return html`${title}${list(errors.answer.map((group) => errorItem(group, now)))}`
}

function list(items: readonly Html[]): Html {
  if (items.length === 0) return html`<p><small>None.</small></p>`
  return html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`
}

function errorItem(group: ErrorGroup, now: Date): Html {
  const { count, remote, phase, message, routes, firstAt, lastAt } = group
  const [place] = group.places
  return html`<b>${count} ×</b> ${remote} ${phase}: <bdi>${message}</bdi>
${place && html`<code><bdi>${place.file}:${place.line}</bdi></code>`}
<small>${routes.join(', ')}, first ${timeAgo(firstAt, now)}, last ${timeAgo(lastAt, now)}</small>`
}

const recordItem = ({ number, createdAt, change }: SiteRecord, now: Date) =>
  html`<b>${number}</b> ${change.summary} <small>${change.verb}, ${timeAgo(createdAt, now)} by ${change.by}</small>`

const versionText = (version: string) =>
  html`<code title="${version}">${shortenVersion(version)}</code>`

const STATUS_TEXTS = { on: html`<span class="live">● live</span>`, off: '○ off' }

function packageCard(state: ControlState, name: string, canAct: boolean): Html {
  const { live } = state
  const { status = 'on', canary } = live.remotes[name] ?? {}
  const links = verbsFor(state, name).map((verb) => actionLink({ verb, name, from: live.number }))
  return html`<article class="panel" id="${name}" aria-labelledby="name-${name}">
<h3 id="name-${name}">${name}</h3>
<p>${STATUS_TEXTS[status]} ${versionText(versionInSite(live, name) ?? '')}</p>
${
  canary &&
  html`<p>Canary ${versionText(canary.release.version)} for ${canary.percent} % of the visitors
<progress max="100" value="${canary.percent}" aria-label="Share of the visitors of ${name}"></progress></p>`
}
${canAct && html`<p class="row">${links}</p>`}
${viewsTable(state, name)}
</article>`
}

function verbsFor(state: ControlState, name: string): Action['verb'][] {
  const verbs: Action['verb'][] = []
  const remote = state.live.remotes[name]
  if (remote?.canary) verbs.push('promote', 'stop-canary')
  else if (mayRollBack(state, name)) verbs.push('rollback')
  if (remote) verbs.push(remote.status === 'on' ? 'disable' : 'enable')
  return verbs
}

function viewsTable({ live, views }: ControlState, name: string): Html | undefined {
  if ('problem' in views) return undefined
  const versions = views.answer
    .filter(({ remote }) => remote === name)
    .map((views) => ({ ...views, role: releaseRole(live, views) }))
    .sort((a, b) => RELEASE_ROLES.indexOf(a.role) - RELEASE_ROLES.indexOf(b.role))
    .slice(0, MOST_VERSIONS)
  if (versions.length === 0)
    return html`<p><small>No member has reported a view in the last ${HEALTH_HOURS} hours.</small></p>`

  const row = (title: string, cell: (views: VersionViews) => string) =>
    html`<tr><th scope="row">${title}</th>${versions.map((views) => html`<td>${cell(views)}</td>`)}</tr>`
  return html`<table>
<thead><tr><th scope="col"><small>last ${HEALTH_HOURS} hours</small></th>
${versions.map(({ role, version }) => html`<th scope="col">${role}<br>${versionText(version)}</th>`)}</tr></thead>
<tbody>${row('views', ({ seen }) => seen.toLocaleString('en-GB'))}
${FACTS.map((fact) => row(FACT_TITLES[fact], (views) => formatShare(views[fact], views.seen)))}</tbody>
</table>`
}
