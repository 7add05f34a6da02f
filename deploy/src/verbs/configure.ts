import { type PublicConfig, publicConfigSchema } from '@anniversary/shared/contract/config'
import { applyChange, type Outcome } from '../change.ts'
import { withConfig } from '../compose.ts'
import { Refused } from '../problem.ts'
import type { Target } from '../target/target.ts'
import { existing } from './existing.ts'

/**
 * Changes settings of the site's public configuration.
 * @param settings by name; null goes back to the default
 * @throws Refused naming every setting that is unknown or wrong
 */
export const configure = async (
  target: Target,
  settings: Readonly<Record<string, string | null>>,
): Promise<Outcome> =>
  await applyChange(target, {
    verb: 'configure',
    step: (before) => {
      const site = existing(before)
      return {
        draft: withConfig(site, changed(site.config, settings)),
        summary: Object.entries(settings)
          .map(([name, value]) => (value === null ? `${name} unset` : `${name}=${value}`))
          .join(', '),
      }
    },
  })

function changed(config: PublicConfig, settings: Readonly<Record<string, string | null>>): PublicConfig {
  const wanted = Object.fromEntries(
    Object.entries({ ...config, ...settings }).filter(([, value]) => value !== null),
  )
  const parsed = publicConfigSchema.safeParse(wanted)
  if (parsed.success) return parsed.data
  throw new Refused(
    parsed.error.issues.map((issue) => ({
      rule: 'site',
      about: 'configuration',
      found: [issue.path.join('.'), issue.message].filter(Boolean).join(': '),
      todo: `The settings are ${Object.keys(publicConfigSchema.shape).join(', ')}`,
    })),
  )
}
