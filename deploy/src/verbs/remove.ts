import { rejected } from '../rejected.ts'
import { applyChange, type Outcome } from '../site/change.ts'
import { remoteOf } from '../site/compose.ts'
import { requireSite } from '../site/record.ts'
import { publishedBuilds } from '../site/version-folders.ts'
import type { Target } from '../target/target.ts'

/**
 * Takes a remote out of the site; `prune` removes its versions later.
 * @throws Rejected while a route of the shell shows it
 */
export const removeRemote = async (target: Target, name: string): Promise<Outcome> =>
  await applyChange(target, {
    verb: 'remove',
    next: async (before) => {
      const site = requireSite(before)
      remoteOf(site, name)
      const { routes } = await publishedBuilds(target).host(site.shell.version)
      const route = Object.keys(routes).find((path) => routes[path]?.remote === name)
      if (route)
        throw rejected(
          'site',
          name,
          `the shell's route ${route} shows it`,
          `Publish a shell without this route first, or \`deploy disable ${name}\``,
        )
      const { [name]: _, ...remotes } = site.remotes
      return { ...site, remotes, summary: `${name} removed`, packages: [name] }
    },
  })
