import type { ComposedRemote } from '@anniversary/shared/contract/composition'
import { applyChange, type Outcome } from '../site/change.ts'
import { withStatus } from '../site/compose.ts'
import { requireSite } from '../site/record.ts'
import type { Target } from '../target/target.ts'

/**
 * The kill switch: a remote that is off is not loaded, and its pages say that it is switched off. Publishing does not
 * switch it on again.
 */
export const switchRemote = async (
  target: Target,
  name: string,
  status: ComposedRemote['status'],
): Promise<Outcome> =>
  await applyChange(target, {
    verb: status === 'on' ? 'enable' : 'disable',
    next: (before) => ({
      ...withStatus(requireSite(before), name, status),
      summary: `${name} ${status}`,
      packages: [name],
    }),
  })
