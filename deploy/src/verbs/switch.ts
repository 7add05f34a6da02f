import type { ComposedRemote } from '@anniversary/shared/contract/composition'
import { applyChange, type Outcome } from '../site/change.ts'
import { withStatus } from '../site/compose.ts'
import { requireSite } from '../site/record.ts'
import type { Target } from '../target/target.ts'
import { sinceSeen } from './since-seen.ts'

/**
 * The kill switch: a remote that is off is not loaded, and its pages say that it is switched off. Publishing does not
 * switch it on again.
 * @param from number of a composition: refuses if the remote has changed since
 */
export async function switchRemote(
  target: Target,
  name: string,
  status: ComposedRemote['status'],
  from?: number,
): Promise<Outcome> {
  const unchanged = await sinceSeen(target, name, from)
  return await applyChange(target, {
    verb: status === 'on' ? 'enable' : 'disable',
    next: (before) => {
      const site = requireSite(before)
      unchanged(site)
      return { ...withStatus(site, name, status), summary: `${name} ${status}`, packages: [name] }
    },
  })
}
