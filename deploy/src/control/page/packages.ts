import type { Estimate } from '@anniversary/shared/contract/figures'
import type { Action } from '../actions.ts'
import type { ControlState, PackageState } from '../state.ts'
import { chart, type Line, type Role, swatch } from './chart.ts'
import { button, h } from './dom.ts'
import { ago, estimateCell, milliseconds, percent, shortVersion, versionText } from './format.ts'

/** Asks to confirm an action; null on a page that only shows. */
export type Ask = ((action: Action) => void) | null

/** Columns that a phone has room for. */
const VERSIONS = 3

/** One package: what is live, what members feel, and what can be done about it. */
export function packageCard(state: ControlState, pkg: PackageState, ask: Ask): HTMLElement {
  const { name, version, status, since, canary } = pkg
  const hasFigures = state.feel.versions.some(({ remote }) => remote === name)
  return h(
    'article',
    { class: hasFigures ? 'card with-figures' : 'card', 'aria-labelledby': `name-${name}` },
    h(
      'header',
      {},
      h('h3', { id: `name-${name}` }, name),
      status === 'off'
        ? h('span', { class: 'badge off' }, '○ switched off')
        : h('span', { class: 'badge' }, '● live'),
    ),
    h(
      'p',
      { class: 'version' },
      versionText(version),
      h(
        'span',
        { class: 'quiet' },
        ...(since ? [' since ', ago(since.at), ` by ${since.by}`] : [' for longer than the history below']),
      ),
    ),
    canary &&
      h(
        'div',
        { class: 'canary-box' },
        h(
          'p',
          {},
          h('strong', {}, 'Canary '),
          versionText(canary.version),
          ` for ${canary.percent} % of the visitors`,
        ),
        h('progress', { max: 100, value: canary.percent, 'aria-label': `Share of the visitors of ${name}` }),
        ask &&
          h(
            'div',
            { class: 'buttons' },
            button(`promote-${name}`, 'Promote', 'primary', () => ask({ verb: 'promote', name })),
            button(`stop-${name}`, 'Stop canary', 'secondary', () => ask({ verb: 'stop-canary', name })),
          ),
      ),
    name !== 'shell' && !state.feel.problem && feelOf(state, pkg),
    ask &&
      h(
        'div',
        { class: 'buttons' },
        !canary && button(`back-${name}`, 'Roll back', 'secondary', () => ask({ verb: 'rollback', name })),
        name !== 'shell' &&
          (status === 'on'
            ? button(`switch-${name}`, 'Switch off', 'danger', () => ask({ verb: 'disable', name }))
            : button(`switch-${name}`, 'Switch on', 'secondary', () => ask({ verb: 'enable', name }))),
      ),
  )
}

const roleOf = ({ version: current, canary }: PackageState, version: string): Role =>
  version === current ? 'current' : version === canary?.version ? 'canary' : 'earlier'

function feelOf({ feel, history, at, hours }: ControlState, pkg: PackageState): HTMLElement {
  const order: readonly Role[] = ['current', 'canary', 'earlier']
  const versions = feel.versions
    .filter(({ remote }) => remote === pkg.name)
    .map((health) => ({ ...health, role: roleOf(pkg, health.version) }))
    .sort((a, b) => order.indexOf(a.role) - order.indexOf(b.role))
    .slice(0, VERSIONS)
  if (versions.length === 0)
    return h('p', { class: 'quiet' }, `No member has reported a view in the last ${hours} hours.`)
  const lines = (read: (hour: ControlState['feel']['hours'][number]) => Estimate | null): Line[] =>
    versions.map(({ version, role }) => ({
      version,
      role,
      points: feel.hours
        .filter((hour) => hour.remote === pkg.name && hour.version === version)
        .flatMap((hour) => {
          const estimate = read(hour)
          return estimate ? [{ hour: hour.hour, value: estimate.value }] : []
        }),
    }))
  const changes = history.filter(({ packages }) => packages.includes(pkg.name)).map((step) => step.at)
  const time = { changes, end: at, hours }
  const row = (title: string, cells: HTMLTableCellElement[]) =>
    h('tr', {}, h('th', { scope: 'row' }, title), ...cells)
  return h(
    'div',
    { class: 'feel' },
    h(
      'div',
      { class: 'charts' },
      h(
        'figure',
        {},
        h('figcaption', {}, 'Views with an error'),
        chart({
          ...time,
          title: `${pkg.name}: views with an error`,
          unit: percent,
          least: 0.02,
          lines: lines((hour) => hour.errorRate),
        }),
      ),
      h(
        'figure',
        {},
        h('figcaption', {}, 'LCP, 75th percentile'),
        chart({
          ...time,
          title: `${pkg.name}: LCP, 75th percentile`,
          unit: milliseconds,
          least: 1000,
          lines: lines((hour) => hour.lcp),
        }),
      ),
    ),
    h(
      'table',
      {},
      h(
        'caption',
        { class: 'visually-hidden' },
        `${pkg.name} in the last ${hours} hours, with intervals of 95 %`,
      ),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          h('td'),
          ...versions.map(({ version, role }) =>
            h(
              'th',
              { scope: 'col' },
              swatch(role),
              h('span', {}, role),
              h('code', { class: 'head-version', title: version }, shortVersion(version)),
            ),
          ),
        ),
      ),
      h(
        'tbody',
        {},
        row(
          'Views',
          versions.map(({ views }) => h('td', {}, views.toLocaleString('en-GB'))),
        ),
        row(
          'Errors',
          versions.map(({ errorRate }) => estimateCell(errorRate, percent)),
        ),
        row(
          'Not loaded',
          versions.map(({ failureRate }) => estimateCell(failureRate, percent)),
        ),
        row(
          'LCP p75',
          versions.map(({ p75 }) => estimateCell(p75.lcp, milliseconds)),
        ),
        row(
          'INP p75',
          versions.map(({ p75 }) => estimateCell(p75.inp, milliseconds)),
        ),
      ),
    ),
  )
}
