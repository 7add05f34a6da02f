import type { Difference } from '../../verbs/diff.ts'
import type { ControlState, Step } from '../state.ts'
import { button, h } from './dom.ts'
import { ago } from './format.ts'
import { type Ask, packageCard } from './packages.ts'

/** The whole page. */
export function view(state: ControlState, ask: Ask): HTMLElement {
  const { site, at, number, packages, history, feel } = state
  const [last] = history
  return h(
    'main',
    {},
    h(
      'header',
      { class: 'top' },
      h('h1', {}, 'Control'),
      h('p', { class: 'site' }, site),
      !ask &&
        h('p', { class: 'notice' }, 'A snapshot, taken ', ago(at), '. What is live may have changed since.'),
      last &&
        h(
          'div',
          { class: 'last' },
          h(
            'p',
            {},
            h('strong', { class: 'number' }, `${number}`),
            h('span', {}, last.summary, h('small', {}, ago(last.at), ` by ${last.by}`)),
          ),
          ask && button('back', 'Undo this change', 'secondary', () => ask({ verb: 'rollback' })),
        ),
      feel.problem && h('p', { class: 'notice' }, `No figures. ${feel.problem}`),
    ),
    h('h2', {}, 'Live'),
    h('div', { class: 'cards' }, ...byUrgency(packages).map((pkg) => packageCard(state, pkg, ask))),
    ...(feel.problem ? [] : [h('h2', {}, 'Errors of the last day'), errorList(state)]),
    h('h2', {}, 'History'),
    h('ol', { class: 'history' }, ...history.map(historyItem)),
  )
}

/** What is under way or off comes first, the shell last. */
const byUrgency = (packages: ControlState['packages']) =>
  [...packages].sort((a, b) => urgency(b) - urgency(a))

const urgency = ({ name, status, canary }: ControlState['packages'][number]): number =>
  canary ? 3 : status === 'off' ? 2 : name === 'shell' ? 0 : 1

function errorList({ feel }: ControlState): HTMLElement {
  if (feel.errors.length === 0) return h('p', { class: 'quiet' }, 'None has been reported.')
  return h(
    'ol',
    { class: 'errors' },
    ...feel.errors.map(({ count, remote, phase, message, places, routes, lastAt }) => {
      const [place] = places
      return h(
        'li',
        {},
        h('p', {}, h('strong', {}, `${count} ×`), ` ${remote} ${phase}: ${message}`),
        place && h('code', {}, `${place.file}:${place.line}`),
        h('small', { class: 'quiet' }, `${routes.join(', ')}, last `, ago(lastAt)),
      )
    }),
  )
}

function historyItem({ number, at, by, verb, summary, differences, judgement }: Step): HTMLElement {
  return h(
    'li',
    {},
    h(
      'details',
      { id: `step-${number}` },
      h(
        'summary',
        {},
        h('strong', { class: 'number' }, `${number}`),
        h('span', {}, summary, h('small', {}, `${verb}, `, ago(at), ` by ${by}`)),
      ),
      judgement && judged(judgement),
      differences
        ? h(
            'ul',
            {},
            ...(differences.length === 0 ? [h('li', {}, 'No difference.')] : differences.map(difference)),
          )
        : h('p', { class: 'quiet' }, 'The composition before it is not kept.'),
    ),
  )
}

/** What a judge of a canary has compared. */
const judged = (judgement: NonNullable<Step['judgement']>): HTMLElement =>
  h(
    'ul',
    {},
    ...Object.entries(judgement).map(([measure, { canary, current }]) =>
      h(
        'li',
        {},
        `${measure}: ${canary.bad} of ${canary.n} views of the canary, ${current.bad} of ${current.n} else`,
      ),
    ),
  )

const difference = ({ about, what, from, to }: Difference): HTMLElement =>
  h('li', {}, `${about} ${what}: `, h('del', {}, from ?? 'none'), ' → ', h('ins', {}, to ?? 'none'))
