import { type PublicConfig, publicConfigSchema } from '@anniversary/shared/contract/config'
import { invalid, rejected } from '../rejected.ts'
import type { Target } from '../target/target.ts'
import { changeSite, type Outcome } from './change.ts'

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

export async function setCdn(target: Target, cdn: string | undefined): Promise<Outcome> {
  if (cdn !== undefined && !(URL.canParse(cdn) && new URL(cdn).origin === cdn))
    throw rejected('site', cdn, 'it is no origin', 'Write it as https://cdn.example')
  return await changeSite(target, 'configure', {}, ({ cdn: _, ...site }) => ({
    ...site,
    ...(cdn && { cdn }),
    summary: cdn ? `files of remotes from ${cdn}` : 'files of remotes from the site',
    packages: [],
  }))
}

function changed(config: PublicConfig, settings: Settings): PublicConfig {
  const wanted = Object.fromEntries(
    Object.entries({ ...config, ...settings }).filter(([, value]) => value !== null),
  )
  const parsed = publicConfigSchema.safeParse(wanted)
  if (parsed.success) return parsed.data
  const known = Object.keys(publicConfigSchema.shape).join(', ')
  throw invalid('site', 'configuration', parsed.error, `The settings are ${known}`)
}
