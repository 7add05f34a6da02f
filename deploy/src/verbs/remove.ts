import { rejected } from '../rejected.ts'
import { remoteOf } from '../site/compose.ts'
import type { Target } from '../target/target.ts'
import type { Outcome } from './change.ts'
import { changeSite } from './change-site.ts'

/**
 * Takes a remote and its routes out of the site; `prune` removes its versions later.
 * @throws Rejected while it is switched on and has routes, so that a mistyped name removes no page
 */
export const removeRemote = async (target: Target, name: string): Promise<Outcome> =>
  await changeSite(target, 'remove', {}, (site) => {
    const { status, current } = remoteOf(site, name)
    const paths = Object.keys(current.routes ?? {})
    if (status === 'on' && paths.length > 0)
      throw rejected('site', name, `it shows ${paths.join(', ')}`, `First \`deploy disable ${name}\``)
    const { [name]: _, ...remotes } = site.remotes
    return { ...site, remotes, summary: `${name} removed`, packages: [name] }
  })
