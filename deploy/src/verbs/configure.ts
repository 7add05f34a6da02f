import { type PublicConfig, publicConfigSchema } from '@anniversary/shared/contract/config'
import { invalid } from '../rejected.ts'
import type { Target } from '../target/target.ts'
import type { Outcome } from './change.ts'
import { changeSite } from './change-site.ts'

/** By name; null restores the default. */
export type Settings = Readonly<Record<string, string | null>>

export const configure = async (target: Target, settings: Settings): Promise<Outcome> =>
  await changeSite(target, 'configure', {}, (site) => ({
    ...site,
    config: changed(site.config, settings),
    summary: Object.entries(settings)
      .map(([name, value]) => (value === null ? `${name} unset` : `${name}=${value}`))
      .join(', '),
    packages: [],
  }))

function changed(config: PublicConfig, settings: Settings): PublicConfig {
  const wanted = Object.fromEntries(
    Object.entries({ ...config, ...settings }).filter(([, value]) => value !== null),
  )
  const parsed = publicConfigSchema.safeParse(wanted)
  if (parsed.success) return parsed.data
  const known = Object.keys(publicConfigSchema.shape).join(', ')
  throw invalid('site', 'configuration', parsed.error, `The settings are ${known}`)
}
