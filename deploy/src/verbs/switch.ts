import type { ComposedRemote } from '@anniversary/shared/contract/composition'
import { applyChange, type Outcome } from '../change.ts'
import { withStatus } from '../compose.ts'
import type { Target } from '../target/target.ts'
import { existing } from './existing.ts'

/**
 * The kill switch: a remote that is off is not loaded, its pages say that it is switched off, and all else works on.
 * Publishing does not switch it on again.
 */
export const switchRemote = async (
  target: Target,
  name: string,
  status: ComposedRemote['status'],
): Promise<Outcome> =>
  await applyChange(target, {
    verb: status === 'on' ? 'enable' : 'disable',
    packages: [name],
    step: (before) => ({ draft: withStatus(existing(before), name, status), summary: `${name} ${status}` }),
  })
