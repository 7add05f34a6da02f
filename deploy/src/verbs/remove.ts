import { rejected } from '../rejected.ts'
import { applyChange, type Outcome } from '../site/change.ts'
import { remoteOf } from '../site/compose.ts'
import { requireSite } from '../site/record.ts'
import type { Target } from '../target/target.ts'

/**
 * Takes a remote and its routes out of the site; `prune` removes its versions later.
 * @throws Rejected while it is switched on and has routes: a typed name must not take away a page
 */
export const removeRemote = async (target: Target, name: string): Promise<Outcome> =>
  await applyChange(target, {
    verb: 'remove',
    next: (before) => {
      const site = requireSite(before)
      const { status, current } = remoteOf(site, name)
      const paths = Object.keys(current.routes ?? {})
      if (status === 'on' && paths.length > 0)
        throw rejected('site', name, `it shows ${paths.join(', ')}`, `First \`deploy disable ${name}\``)
      const { [name]: _, ...remotes } = site.remotes
      return { ...site, remotes, summary: `${name} removed`, packages: [name] }
    },
  })
