import { HOST_NAME } from '@anniversary/deploy/builds/read-build'
import { ago } from '@anniversary/deploy/cli/text'
import { versionIn } from '@anniversary/deploy/site/compose'
import { type Caller, mayChange } from '@anniversary/deploy/site/context'
import type { SiteRecord } from '@anniversary/deploy/site/record'
import { type Counts, FACTS, type Fact } from '@anniversary/shared/contract/report'
import {
  aboveLimits,
  percent,
  ROLES,
  roleIn,
  shareOf,
  shareText,
  shortVersion,
  TITLES,
} from '../health.ts'
import type { ErrorGroup } from '../reports/report-source.ts'
import { type Action, actionLink } from './actions.ts'
import { type Html, html } from './html.ts'
import { documentOf } from './sheets.ts'
import { type ControlState, type Health, HOURS, RECENT_HOURS } from './state.ts'

export function controlPage(state: ControlState, caller: Caller): Html {
  const { site, at, live, records, health } = state
  const { number, createdAt, change } = live
  const now = new Date(at)
  const names = [HOST_NAME, ...Object.keys(live.remotes)]
  const alarms = names.flatMap((name) => alarmsOf(state, name))
  const urgencyOf = (name: string) => {
    if (alarms.some((alarm) => alarm.name === name)) return 3
    if (live.remotes[name]?.canary) return 2
    return name === HOST_NAME ? 0 : 1
  }
  const packages = names.toSorted((a, b) => urgencyOf(b) - urgencyOf(a))
  const may = (name: string) => mayChange(caller, name)
  // The first composition has nothing before it; a change of the configuration is about no package.
  const mayUndo = number > 1 && (change.packages.length > 0 ? change.packages : ['*']).every(may)
  const headline = headlineOf(alarms.length, health)
  const views = health.recent.reduce((sum, counts) => sum + counts.views, 0)
  return documentOf(
    `${headline} · ${number}`,
    html`<main class="control">
<p><small>${site} for ${caller.name} as of <time datetime="${at}">${TIME.format(now)}</time></small></p>
<h1>${headline}</h1>
<p>${health.problem ?? `${views.toLocaleString('en-GB')} views in the last ${RECENT_HOURS} hours`}</p>
${alarms.map(
  ({ name, text, remedy }) => html`<div class="panel row alarm"><b>▲</b>
<p><a href="#${name}">${name}</a>: ${text}</p>
${may(name) && remedy && actionLink({ verb: remedy, name, from: number }, 'primary')}</div>`,
)}
${state.warnings.map((text) => html`<p><strong>${text}</strong></p>`)}
<div class="panel row"><b>${number}</b>
<p>${change.summary} <small>${ago(createdAt, now)} by ${change.by}</small></p>
${mayUndo && actionLink({ verb: 'undo', name: '', from: number })}</div>
<h2>Live</h2>
<div class="cards">${packages.map((name) => packageCard(state, name, may(name)))}</div>
${!health.problem && html`<h2>Errors of the last day</h2>${list(health.errors.map((group) => errorItem(group, now)))}`}
<h2>History</h2>
${list(records.map((record) => recordItem(record, now)))}
</main>`,
  )
}

function headlineOf(alarms: number, { problem }: Health): string {
  if (alarms > 0) return `${alarms} alarm${alarms > 1 ? 's' : ''}`
  return problem ? 'No figures' : 'No alarm'
}

const TIME = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
  timeZone: 'Asia/Ho_Chi_Minh',
})

const list = (items: readonly Html[]): Html =>
  items.length === 0
    ? html`<p><small>None.</small></p>`
    : html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`

function errorItem(
  { count, remote, phase, message, places, routes, lastAt }: ErrorGroup,
  now: Date,
): Html {
  const [place] = places
  return html`<b>${count} ×</b> ${remote} ${phase}: <bdi>${message}</bdi>
${place && html`<code><bdi>${place.file}:${place.line}</bdi></code>`}
<small>${routes.join(', ')}, last ${ago(lastAt, now)}</small>`
}

const recordItem = ({ number, createdAt, change }: SiteRecord, now: Date): Html =>
  html`<b>${number}</b> ${change.summary} <small>${change.verb}, ${ago(createdAt, now)} by ${change.by}</small>`

const versionText = (version: string): Html =>
  html`<code title="${version}">${shortVersion(version)}</code>`

/** Whether a rollback may lead somewhere. Records older than those on the page are not read. */
const hasEarlier = ({ live, records }: ControlState, name: string): boolean =>
  records.at(-1)?.number !== 1 ||
  records.some((one) => versionIn(one, name) !== versionIn(live, name))

function packageCard(state: ControlState, name: string, canAct: boolean): Html {
  const { live, health } = state
  const remote = live.remotes[name]
  const { status = 'on', canary } = remote ?? {}
  const verbs: Action['verb'][] = []
  if (canary) verbs.push('promote', 'stop-canary')
  else if (hasEarlier(state, name)) verbs.push('rollback')
  if (remote) verbs.push(status === 'on' ? 'disable' : 'enable')
  return html`<article class="panel" id="${name}" aria-labelledby="name-${name}">
<h3 id="name-${name}">${name}</h3>
<p>${status === 'on' ? html`<span class="live">● live</span>` : '○ off'} ${versionText(versionIn(live, name) ?? '')}</p>
${
  canary &&
  html`<p>Canary ${versionText(canary.release.version)} for ${canary.percent} % of the visitors
<progress max="100" value="${canary.percent}" aria-label="Share of the visitors of ${name}"></progress></p>`
}
${canAct && html`<p class="row">${verbs.map((verb) => actionLink({ verb, name, from: live.number }))}</p>`}
${!health.problem && viewsTable(state, name)}
</article>`
}

/** As many columns as fit on a phone; reports may name invented versions. */
const MOST_VERSIONS = 3

function viewsTable({ live, health }: ControlState, name: string): Html {
  const versions = health.day
    .filter(({ remote }) => remote === name)
    .map((counts) => ({ ...counts, role: roleIn(live, counts) }))
    .sort((a, b) => ROLES.indexOf(a.role) - ROLES.indexOf(b.role))
    .slice(0, MOST_VERSIONS)
  if (versions.length === 0)
    return html`<p><small>No member has reported a view in the last ${HOURS} hours.</small></p>`
  const row = (title: string, cell: (counts: Counts) => string): Html =>
    html`<tr><th scope="row">${title}</th>${versions.map((counts) => html`<td>${cell(counts)}</td>`)}</tr>`
  return html`<table>
<thead><tr><th scope="col"><small>last ${HOURS} hours</small></th>
${versions.map(({ role, version }) => html`<th scope="col">${role}<br>${versionText(version)}</th>`)}</tr></thead>
<tbody>${row('views', ({ views }) => views.toLocaleString('en-GB'))}
${FACTS.map((fact) => row(TITLES[fact], (counts) => percent(shareOf(counts[fact], counts.views).value)))}</tbody>
</table>`
}

/** Returns the alarms of a package, each with the action that ends it. */
function alarmsOf(state: ControlState, name: string) {
  const { live, health } = state
  const alarm = (text: string | undefined, remedy?: Action['verb']) =>
    text ? [{ name, text, remedy }] : []
  const { status, previous, canary } = live.remotes[name] ?? {}
  if (status === 'off') return alarm('switched off')
  const version = versionIn(live, name)
  const fault = faultOf(health, name, version, previous?.version)
  const canaryFault = canary && faultOf(health, name, canary.release.version, version)
  return [
    ...alarm(fault && `it ${fault}`, hasEarlier(state, name) && !canary ? 'rollback' : undefined),
    ...alarm(canaryFault && `the canary ${canaryFault}`, 'stop-canary'),
  ]
}

function faultOf(
  health: Health,
  remote: string,
  version: string | undefined,
  base: string | undefined,
): string {
  const find = (counts: Health['day'], wanted: string | undefined) =>
    counts.find((one) => one.remote === remote && one.version === wanted)
  const recent = find(health.recent, version)
  const tooMany = recent ? aboveLimits(recent) : []
  if (recent && tooMany.length > 0) {
    const texts = tooMany.map((fact) => `${TITLES[fact]} in ${shareText(fact, recent)} views`)
    return `${texts.join(', ')} in the last ${RECENT_HOURS} hours`
  }
  const [tested, other] = [find(health.day, version), find(health.day, base)]
  const worse = tested && other ? FACTS.flatMap((fact) => worseText(fact, tested, other)) : []
  return worse.length > 0 ? `is worse than ${shortVersion(base ?? '')}: ${worse.join(', ')}` : ''
}

function worseText(fact: Fact, tested: Counts, base: Counts): string[] {
  const [a, b] = [shareOf(tested[fact], tested.views), shareOf(base[fact], base.views)]
  return a.low > b.high
    ? [`${TITLES[fact]} in ${percent(a.value)} of its views instead of ${percent(b.value)}`]
    : []
}
