import { FACTS } from '@anniversary/shared/contract/report'
import { HOST_NAME } from '../builds/read-build.ts'
import { sentence } from '../canary/comparison.ts'
import { ago } from '../format.ts'
import { type Html, html } from '../html.ts'
import type { ErrorGroup } from '../reports/group-errors.ts'
import { type Caller, mayChange } from '../site/caller.ts'
import type { SiteRecord } from '../site/record.ts'
import { actionLink } from './actions.ts'
import { alarmsOf } from './findings.ts'
import { packageCard } from './package-card.ts'
import { documentOf } from './sheets.ts'
import { type ControlState, LATELY_HOURS } from './state.ts'

export function controlPage(state: ControlState, caller: Caller): Html {
  const { site, at, live, records, feel } = state
  const { number, createdAt, change } = live
  const now = new Date(at)
  const alarms = alarmsOf(state)
  const urgencyOf = (name: string) => {
    if (alarms.some((alarm) => alarm.name === name)) return 3
    return live.remotes[name]?.canary ? 2 : name === HOST_NAME ? 0 : 1
  }
  const packages = [HOST_NAME, ...Object.keys(live.remotes)].sort((a, b) => urgencyOf(b) - urgencyOf(a))
  const may = (name: string) => mayChange(caller, name)
  // The first composition has nothing before it; a change of the configuration is about no package.
  const mayUndo = number > 1 && (change.packages.length > 0 ? change.packages : ['*']).every(may)
  const headline = alarms[0]
    ? `${alarms.length} alarm${alarms[1] ? 's' : ''}`
    : feel.problem
      ? 'No figures'
      : 'No alarm'
  const views = feel.lately.reduce((sum, counts) => sum + counts.views, 0)
  return documentOf(
    `${headline} · ${number}`,
    html`<main class="control">
<p><small>${site} for ${caller.name} as of <time datetime="${at}">${TIME.format(now)}</time></small></p>
<h1>${headline}</h1>
<p>${feel.problem ?? `${views.toLocaleString('en-GB')} views in the last ${LATELY_HOURS} hours`}</p>
${alarms.map(
  ({ name, text, remedy }) => html`<div class="panel row alarm"><b>▲</b>
<p><a href="#${name}">${name}</a>: ${text}</p>
${may(name) && remedy && actionLink({ verb: remedy, name, from: number }, 'primary')}</div>`,
)}
<div class="panel row"><b>${number}</b>
<p>${change.summary} <small>${ago(createdAt, now)} by ${change.by}</small></p>
${mayUndo && actionLink({ verb: 'undo', name: '', from: number })}</div>
<h2>Live</h2>
<div class="cards">${packages.map((name) => packageCard(state, name, may(name)))}</div>
${!feel.problem && html`<h2>Errors of the last day</h2>${list(feel.errors.map((group) => errorItem(group, now)))}`}
<h2>History</h2>
${list(records.map((record) => recordItem(record, now)))}
</main>`,
  )
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

function errorItem({ count, remote, phase, message, places, routes, lastAt }: ErrorGroup, now: Date): Html {
  const [place] = places
  return html`<b>${count} ×</b> ${remote} ${phase}: <bdi>${message}</bdi>
${place && html`<code><bdi>${place.file}:${place.line}</bdi></code>`}
<small>${routes.join(', ')}, last ${ago(lastAt, now)}</small>`
}

function recordItem({ number, createdAt, change }: SiteRecord, now: Date): Html {
  const { judgement } = change
  return html`<b>${number}</b> ${change.summary} <small>${change.verb}, ${ago(createdAt, now)} by ${change.by}</small>
${Object.entries(judgement ?? {}).flatMap(([name, both]) =>
  FACTS.map((fact) => html`<small>${name} ${sentence(fact, both)}</small>`),
)}`
}
