import type { ComposedRemote } from '@anniversary/shared/contract/composition'
import { ago, planText, shortVersion } from '../format.ts'
import { type Content, type Html, html } from '../html.ts'
import { type Measure, type Role, roleOf, type VersionHealth } from '../reports/version-health.ts'
import { versionIn } from '../site/compose.ts'
import { type Action, actionLink } from './actions.ts'
import { chart } from './chart.ts'
import { ERRORS, LCP, MEASURES } from './findings.ts'
import { type ControlState, HOURS, sinceOf } from './state.ts'

/** As many columns as fit on a phone. */
const VERSIONS = 3

export const versionText = (version: string): Html =>
  html`<code title="${version}">${shortVersion(version)}</code>`

/**
 * One package: what is live, the verbs for it, and what members feel.
 * @param isOpen whether its figures are unfolded
 * @param canAct whether it has buttons
 */
export function packageCard(state: ControlState, name: string, isOpen: boolean, canAct: boolean): Html {
  const { live, plans } = state
  const now = new Date(state.at)
  const since = sinceOf(state, name)
  const remote = live.remotes[name]
  const { status = 'on', canary } = remote ?? {}
  const plan = plans[name]
  const verbs: readonly Action['verb'][] = [
    ...(canary ? (['promote', 'stop-canary'] as const) : live.before[name] ? (['rollback'] as const) : []),
    ...(remote ? [status === 'on' ? ('disable' as const) : ('enable' as const)] : []),
  ]
  return html`<article class="panel" id="${name}" aria-labelledby="name-${name}">
<h3 id="name-${name}">${name}</h3>
<p>${status === 'on' ? html`<span class="live">● live</span>` : '○ off'} ${versionText(versionIn(live, name) ?? '')}
<small>${since ? `since ${ago(since.createdAt, now)} by ${since.change.by}` : 'for longer than the history below'}</small></p>
${
  canary &&
  html`<p>Canary ${versionText(canary.release.version)} for ${canary.percent} % of the visitors
<progress max="100" value="${canary.percent}" aria-label="Share of the visitors of ${name}"></progress>
${plan && html`<small>${planText(plan, now)}</small>`}</p>`
}
${canAct && html`<p class="row">${verbs.map((verb) => actionLink({ verb, name, from: live.number }))}</p>`}
${remote && !state.feel.problem && figures(state, name, remote, isOpen)}
</article>`
}

const ROLES: readonly Role[] = ['current', 'canary', 'earlier']

function figures(
  { feel, records, at }: ControlState,
  name: string,
  composed: ComposedRemote,
  isOpen: boolean,
): Html {
  const versions = feel.versions
    .filter(({ remote }) => remote === name)
    .map((health) => ({ health, role: roleOf(composed, health.version) }))
    .sort((a, b) => ROLES.indexOf(a.role) - ROLES.indexOf(b.role))
    .slice(0, VERSIONS)
  const [first] = versions
  if (!first) return html`<p><small>No member has reported a view in the last ${HOURS} hours.</small></p>`
  const picture = (title: string, measure: Measure, least: number): Html =>
    chart({
      title,
      measure,
      least,
      lines: versions.map(({ role, health: { version } }) => ({
        role,
        hours: feel.hours.filter((hour) => hour.remote === name && hour.version === version),
      })),
      changes: records
        .filter(({ change }) => change.packages.includes(name))
        .map(({ createdAt }) => Date.parse(createdAt)),
      now: Date.parse(at),
    })
  const row = (title: string, cell: (health: VersionHealth) => Content): Html =>
    html`<tr><th scope="row">${title}</th>${versions.map(({ health }) => html`<td>${cell(health)}</td>`)}</tr>`
  return html`<details${isOpen && html` open`}>
<summary>${first.health.views.toLocaleString('en-GB')} views in ${HOURS} hours</summary>
<div class="figures">
${picture('Views with an error', ERRORS, 0.02)}
${picture('LCP, 75th percentile', LCP, 1000)}
<table>
<thead><tr><td></td>${versions.map(
    ({ health, role }) => html`<th scope="col">
<svg viewBox="0 0 24 8" aria-hidden="true"><path class="${role}" d="M0 4H24"/></svg>
${role}<br>${versionText(health.version)}</th>`,
  )}</tr></thead>
<tbody>
${row('Views', ({ views }) => views.toLocaleString('en-GB'))}
${MEASURES.map((measure) => row(measure.title, (health) => estimateText(measure, health)))}
</tbody>
</table>
</div>
</details>`
}

/** A value, and below it its interval of 95 %: `1.42 s`, `1.38–1.46 s`. */
function estimateText({ of, unit }: Measure, health: VersionHealth): Content {
  const estimate = of(health)
  if (!estimate) return '–'
  const [low = '', high = ''] = [estimate.low, estimate.high].map(unit)
  const [number, name] = low.split(' ')
  return html`${unit(estimate.value)}<small>${high.endsWith(` ${name}`) ? number : low}–${high}</small>`
}
