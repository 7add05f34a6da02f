import { z } from 'zod'
import { type Html, html } from '../html.ts'
import type { Target } from '../target/target.ts'
import { changeCanary } from '../verbs/canary.ts'
import type { Outcome } from '../verbs/change.ts'
import { switchRemote } from '../verbs/configure.ts'
import { rollback } from '../verbs/rollback.ts'

interface Verb {
  readonly label: string
  readonly effect: string
  run(target: Target, name: string, from: number): Promise<Outcome>
}

const VERBS = {
  undo: {
    label: 'Undo this change',
    effect: 'The whole site goes back to what it was before. Open pages offer a reload.',
    run: (target, _, from) => rollback(target, { from }),
  },
  rollback: {
    label: 'Roll back',
    effect: 'Members who open or reload a page get it. Open pages offer a reload.',
    run: (target, name, from) => rollback(target, { name, from }),
  },
  disable: {
    label: 'Switch off',
    effect:
      'Its pages say that it is switched off, within a minute also those that are open. All else works.',
    run: (target, name, from) => switchRemote(target, name, 'off', from),
  },
  enable: {
    label: 'Switch on',
    effect: 'Its pages load again.',
    run: (target, name, from) => switchRemote(target, name, 'on', from),
  },
  promote: {
    label: 'Promote',
    effect: 'Everyone gets it, instead of a share of the visitors.',
    run: (target, name, from) => changeCanary(target, name, 'everyone', from),
  },
  'stop-canary': {
    label: 'Stop canary',
    effect: 'Everyone gets the current version.',
    run: (target, name, from) => changeCanary(target, name, 'nobody', from),
  },
} satisfies Record<string, Verb>

export const actionSchema = z.object({
  verb: z.enum(Object.keys(VERBS) as (keyof typeof VERBS)[]), // keys of a constant
  name: z.string().max(64).default(''),
  from: z.coerce.number().int().positive(),
})
export type Action = z.infer<typeof actionSchema>

export const effectOf = ({ verb }: Action): string => VERBS[verb].effect
export const titleOf = ({ verb, name }: Action): string => `${VERBS[verb].label} ${name}`.trim()

export function actionLink(action: Action, look: 'primary' | 'secondary' = 'secondary'): Html {
  const query = new URLSearchParams({ ...action, from: `${action.from}` })
  return html`<a class="button ${look}" href="/control/act?${query.toString()}" aria-label="${titleOf(action)}">${VERBS[action.verb].label}</a>`
}

export const run = (target: Target, { verb, name, from }: Action): Promise<Outcome> =>
  VERBS[verb].run(target, name, from)
