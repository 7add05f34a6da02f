import type { ComposedRemote } from '@anniversary/shared/contract/composition'
import { type PublicConfig, publicConfigSchema } from '@anniversary/shared/contract/config'
import { invalid, rejected } from '../rejected.ts'
import { remoteOf, withRemote } from '../site/compose.ts'
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
