import type { ComposedRemote } from '@anniversary/shared/contract/composition'
import { rejected } from '../rejected.ts'
import { remoteOf, withRemote } from '../site/compose.ts'
import type { Target } from '../target/target.ts'
import { changeSite, type Outcome } from './change.ts'

/** The kill switch: pages of a remote that is off say so. Publishing does not switch it on again. */
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

/** @throws Rejected while the remote is on and has routes, so that a mistyped name removes no page */
export const removeRemote = async (target: Target, name: string): Promise<Outcome> =>
  await changeSite(target, 'remove', {}, (site) => {
    const { status, current } = remoteOf(site, name)
    const paths = Object.keys(current.routes ?? {})
    if (status === 'on' && paths.length > 0)
      throw rejected('site', name, `it shows ${paths.join(', ')}`, `First \`deploy disable ${name}\``)
    const { [name]: _, ...remotes } = site.remotes
    return { ...site, remotes, summary: `${name} removed`, packages: [name] }
  })
