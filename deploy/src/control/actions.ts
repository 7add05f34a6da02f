import { z } from 'zod'
import { type Outcome, onBehalf } from '../site/change.ts'
import { OverlayTarget } from '../target/overlay-target.ts'
import type { Target } from '../target/target.ts'
import { promote, stopCanary } from '../verbs/canary.ts'
import { rollback } from '../verbs/rollback.ts'
import { switchRemote } from '../verbs/switch.ts'

const name = z.string().min(1).max(64)

/** A press on the control page. */
export const actionSchema = z.strictObject({
  action: z.discriminatedUnion('verb', [
    // Without a name: the last change of the whole site.
    z.strictObject({ verb: z.literal('rollback'), name: name.optional() }),
    z.strictObject({ verb: z.enum(['disable', 'enable', 'promote', 'stop-canary']), name }),
  ]),
  /** Composition that the person has seen. */
  from: z.number().int().positive(),
  /** Who it is, for the history. */
  by: z.string().trim().min(1).max(64),
  /** True: only say what would happen. */
  dryRun: z.boolean(),
})
export type ActionRequest = z.infer<typeof actionSchema>
export type Action = ActionRequest['action']

/**
 * Runs the verb of the command line.
 * @throws Rejected, also when what it is about has changed since `from`
 */
export async function act(target: Target, { action, from, by, dryRun }: ActionRequest): Promise<Outcome> {
  const site = dryRun ? new OverlayTarget(target) : target
  return await onBehalf.run(`${by} (control page)`, () => run(site, action, from))
}

function run(target: Target, action: Action, from: number): Promise<Outcome> {
  switch (action.verb) {
    case 'rollback':
      return rollback(target, { ...(action.name !== undefined && { name: action.name }), from })
    case 'promote':
      return promote(target, action.name, from)
    case 'stop-canary':
      return stopCanary(target, action.name, from)
    default:
      return switchRemote(target, action.name, action.verb === 'enable' ? 'on' : 'off', from)
  }
}
