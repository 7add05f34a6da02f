import type { ComposedRemote } from '@anniversary/shared/contract/composition'
import { remoteOf, withRemote } from '../site/compose.ts'
import type { Target } from '../target/target.ts'
import type { Outcome } from './change.ts'
import { changeSite } from './change-site.ts'

/**
 * The kill switch: a remote that is off is not loaded, and its pages say that it is switched off. Publishing does not
 * switch it on again.
 * @param from number of a composition: refuses if the remote has changed since
 */
export const switchRemote = async (
  target: Target,
  name: string,
  status: ComposedRemote['status'],
  from?: number,
): Promise<Outcome> =>
  await changeSite(target, status === 'on' ? 'enable' : 'disable', { name, from }, (site) => ({
    ...withRemote(site, name, { ...remoteOf(site, name), status }),
    summary: `${name} ${status}`,
    packages: [name],
  }))
