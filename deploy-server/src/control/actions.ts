import type { Context } from '@anniversary/deploy/site/context'
import { changeCanary } from '@anniversary/deploy/verbs/canary'
import type { Outcome } from '@anniversary/deploy/verbs/change'
import { switchRemote } from '@anniversary/deploy/verbs/configure'
import { rollBackSite } from '@anniversary/deploy/verbs/rollback'
import { type Html, html } from '@anniversary/shared/html-template'
import { z } from 'zod'

interface ActionKind {
  readonly label: string
  readonly effect: string
  run(context: Context, name: string, from: number): Promise<Outcome>
}

const ACTIONS = {
  undo: {
    label: 'Undo this change',
    effect: 'The whole site goes back to what it was before. Open pages offer a reload.',
    run: (context, _, from) => rollBackSite(context, { from }),
  },
  rollback: {
    label: 'Roll back',
    effect: 'Members who open or reload a page get it. Open pages offer a reload.',
    run: (context, name, from) => rollBackSite(context, { name, from }),
  },
  disable: {
    label: 'Switch off',
    effect:
      'Its pages say that it is switched off; open pages say so within a minute. Everything else works.',
    run: (context, name, from) => switchRemote(context, name, 'off', from),
  },
  enable: {
    label: 'Switch on',
    effect: 'Its pages load again.',
    run: (context, name, from) => switchRemote(context, name, 'on', from),
  },
  promote: {
    label: 'Promote',
    effect: 'Everyone gets it, instead of a share of the visitors.',
    run: (context, name, from) => changeCanary(context, name, 'everyone', from),
  },
  'stop-canary': {
    label: 'Stop canary',
    effect: 'Everyone gets the current version.',
    run: (context, name, from) => changeCanary(context, name, 'nobody', from),
  },
} satisfies Record<string, ActionKind>

export const actionSchema = z.object({
  verb: z.enum(Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]), // keys of a constant
  name: z.string().max(64).default(''),
  from: z.coerce.number().int().positive(),
})
export type Action = z.infer<typeof actionSchema>

export const actionEffectOf = ({ verb }: Action): string => ACTIONS[verb].effect
export const actionTitleOf = ({ verb, name }: Action): string =>
  `${ACTIONS[verb].label} ${name}`.trim()

export function actionLink(action: Action, look: 'primary' | 'secondary' = 'secondary'): Html {
  const query = new URLSearchParams({ ...action, from: `${action.from}` })
  return html`<a class="button ${look}" href="/control/act?${query.toString()}" aria-label="${actionTitleOf(action)}">${ACTIONS[action.verb].label}</a>`
}

export const runControlAction = (
  context: Context,
  { verb, name, from }: Action,
): Promise<Outcome> => ACTIONS[verb].run(context, name, from)
