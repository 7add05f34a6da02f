import { type Counts, FACTS } from '@anniversary/shared/contract/report'
import { planText } from '../canary/plan.ts'
import { roleOf, shareOf, TITLES } from '../facts.ts'
import { percent, shortVersion } from '../format.ts'
import { type Html, html } from '../html.ts'
import { versionIn } from '../site/compose.ts'
import { type Action, actionLink } from './actions.ts'
import { type ControlState, HOURS } from './state.ts'

const versionText = (version: string): Html => html`<code title="${version}">${shortVersion(version)}</code>`

export function packageCard(state: ControlState, name: string, canAct: boolean): Html {
  const { live, plans, feel } = state
  const now = new Date(state.at)
  const remote = live.remotes[name]
  const { status = 'on', canary } = remote ?? {}
  const plan = plans.find(({ remotes }) => remotes[name])
  const verbs: readonly Action['verb'][] = [
    ...(canary ? (['promote', 'stop-canary'] as const) : []),
    ...(!canary && live.before[name] ? (['rollback'] as const) : []),
    ...(remote ? [status === 'on' ? ('disable' as const) : ('enable' as const)] : []),
  ]
  return html`<article class="panel" id="${name}" aria-labelledby="name-${name}">
<h3 id="name-${name}">${name}</h3>
<p>${status === 'on' ? html`<span class="live">● live</span>` : '○ off'} ${versionText(versionIn(live, name) ?? '')}</p>
${
  canary &&
  html`<p>Canary ${versionText(canary.release.version)} for ${canary.percent} % of the visitors
<progress max="100" value="${canary.percent}" aria-label="Share of the visitors of ${name}"></progress>
${plan && html`<small>${planText(name, plan, now)}</small>`}</p>`
}
${canAct && html`<p class="row">${verbs.map((verb) => actionLink({ verb, name, from: live.number }))}</p>`}
${!feel.problem && viewsTable(state, name)}
</article>`
}

const ROLES = ['current', 'canary', 'earlier'] as const
/** As many columns as fit on a phone; reports may name invented versions. */
const MOST_VERSIONS = 3

function viewsTable({ live, feel }: ControlState, name: string): Html {
  const [current, canary] = [versionIn(live, name), live.remotes[name]?.canary?.release.version]
  const versions = feel.day
    .filter(({ remote }) => remote === name)
    .map((counts) => ({ ...counts, role: roleOf(counts.version, current, canary) }))
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
