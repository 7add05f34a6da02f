import { ago } from '../format.ts'
import { type Html, html } from '../html.ts'
import type { ErrorGroup } from '../reports/group-errors.ts'
import { HOST_NAME } from '../site/version-folders.ts'
import type { Difference } from '../verbs/diff.ts'
import { actionLink } from './actions.ts'
import { documentOf } from './document.ts'
import { type Alarm, alarmsOf } from './findings.ts'
import { packageCard, versionText } from './package-card.ts'
import type { ControlState, PackageState, Step } from './state.ts'

/** Whoever looks at it; null: a file, with nothing to press. */
export type Viewer = {
  readonly by: string
  /** Whether the page comes anew by itself. */
  readonly follows: boolean
} | null

/** The whole page: what asks for a look first. */
export function controlPage(state: ControlState, viewer: Viewer): Html {
  const { site, at, number, history, feel } = state
  const now = new Date(at)
  const packages = state.packages
    .map((pkg) => ({ pkg, alarms: alarmsOf(state, pkg) }))
    .sort((a, b) => urgency(b) - urgency(a))
  const alarms = packages.flatMap(({ pkg: { name }, alarms: own }) =>
    own.map((alarm) => ({ name, ...alarm })),
  )
  const headline = `${alarms.length || 'No'} alarm${alarms.length > 1 ? 's' : ''}`
  return documentOf(
    `${headline} · ${number}`,
    html`<main class="control">
<p><small>${site} as of ${timeText(at)}${!viewer && '. A snapshot: what is live may have changed since.'}</small></p>
<h1>${headline}</h1>
${alarms.map(
  ({ name, text, remedy }) => html`<div class="panel row alarm"><b>▲</b>
<p><a href="#${name}">${name}</a>: ${text}</p>
${viewer && remedy && actionLink({ verb: remedy, name, from: number }, 'primary')}</div>`,
)}
${history.slice(0, 1).map(
  ({ createdAt, change }) => html`<div class="panel row"><b>${number}</b>
<p>${change.summary} <small>${ago(createdAt, now)} by ${change.by}</small></p>
${viewer && actionLink({ verb: 'undo', name: '', from: number })}</div>`,
)}
<h2>Live</h2>
${feel.problem && html`<p>No figures. ${feel.problem}</p>`}
<div class="cards">${packages.map(({ pkg, alarms: own }) =>
      packageCard(state, pkg, own.length > 0 || pkg.canary !== undefined, viewer !== null),
    )}</div>
${!feel.problem && html`<h2>Errors of the last day</h2>${list(feel.errors.map((group) => errorItem(group, now)))}`}
<h2>Previews</h2>
${list(state.previews.map(previewItem))}
<h2>History</h2>
${list(history.map((step) => stepItem(step, now)))}
${
  viewer &&
  html`<form class="row" method="post" action="/control/log-out">
<a class="button secondary" href="${viewer.follows ? '/control' : '/control?follow'}">${viewer.follows ? 'Stop reloading' : 'Reload every 30 s'}</a>
<button class="button secondary">Log out ${viewer.by}</button>
</form>`
}
</main>`,
  )
}

const TIME = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'Asia/Ho_Chi_Minh',
})
const timeText = (iso: string): Html => html`<time datetime="${iso}">${TIME.format(new Date(iso))}</time>`

const list = (items: readonly Html[]): Html =>
  items.length === 0
    ? html`<p><small>None.</small></p>`
    : html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`

/** What has an alarm comes first, then canaries; the shell is last. */
const urgency = ({ pkg, alarms }: { pkg: PackageState; alarms: readonly Alarm[] }): number =>
  alarms.length > 0 ? 3 : pkg.canary ? 2 : pkg.name === HOST_NAME ? 0 : 1

function errorItem({ count, remote, phase, message, places, routes, lastAt }: ErrorGroup, now: Date): Html {
  const [place] = places
  return html`<b>${count} ×</b> ${remote} ${phase}: ${message}
${place && html`<code>${place.file}:${place.line}</code>`}
<small>${routes.join(', ')}, last ${ago(lastAt, now)}</small>`
}

const previewItem = ({ link, shown, until, by }: ControlState['previews'][number]): Html =>
  html`<a href="${link}">${shown.map(([name, version]) => html`${name} ${versionText(version)} `)}</a>
<small>until ${timeText(until)}, by ${by}</small>`

function stepItem({ number, createdAt, change, differences }: Step, now: Date): Html {
  const judged = Object.entries(change.judgement ?? {}).map(
    ([measure, { canary, current }]) =>
      html`<p>${measure}: ${canary.bad} of ${canary.n} views of the canary, ${current.bad} of ${current.n} else</p>`,
  )
  return html`<details>
<summary><b>${number}</b> ${change.summary} <small>${change.verb}, ${ago(createdAt, now)} by ${change.by}</small></summary>
${judged}
${differences?.map(difference) ?? html`<p>The composition before it is not kept.</p>`}
${differences?.length === 0 && html`<p>No difference.</p>`}
</details>`
}

const difference = ({ about, what, from, to }: Difference): Html =>
  html`<p>${about} ${what}: <del>${from ?? 'none'}</del> → <ins>${to ?? 'none'}</ins></p>`
