import type { ComposedRemote } from '@anniversary/shared/contract/composition'
import { type PublicConfig, publicConfigSchema } from '@anniversary/shared/contract/config'
import { invalid, rejected } from '../rejected.ts'
import { remoteOf, withoutCanary, withRemote } from '../site/compose.ts'
import { CONFIGURATION, type Context } from '../site/context.ts'
import { changeSite, type Outcome } from './change.ts'

/** Settings by name; null restores the default. */
export type Settings = Readonly<Record<string, string | null>>

/** Changes settings of the public configuration. */
export const configure = async (context: Context, settings: Settings): Promise<Outcome> =>
  await changeSite(context, 'configure', { name: CONFIGURATION }, (site) => {
    const config = configurationOf({ ...site.config, ...settings })
    const summary = Object.entries(settings).map(([name, value]) =>
      value === null ? `${name} unset` : `${name}=${value}`,
    )
    return { site: { ...site, config }, summary: summary.join(', ') }
  })

function configurationOf(settings: object): PublicConfig {
  const wanted = Object.entries(settings).filter(([, value]) => value !== null)
  const parsed = publicConfigSchema.safeParse(Object.fromEntries(wanted))
  if (parsed.success) return parsed.data
  const known = Object.keys(publicConfigSchema.shape).join(', ')
  throw invalid('site', 'configuration', parsed.error, `The settings are ${known}`)
}

/** The kill switch: pages of a remote that is off say so. Publishing does not switch it on again. */
export const switchRemote = async (
  context: Context,
  name: string,
  status: ComposedRemote['status'],
  from?: number,
): Promise<Outcome> =>
  await changeSite(context, status === 'on' ? 'enable' : 'disable', { name, from }, (site) => ({
    site: withRemote(site, name, { ...remoteOf(site, name), status }),
    summary: `${name} ${status}`,
  }))

/** @throws Rejected while the remote is on and has routes, so that a mistyped name removes no page */
export const removeRemote = async (context: Context, name: string): Promise<Outcome> =>
  await changeSite(context, 'remove', { name }, (site) => {
    const { status, current } = remoteOf(site, name)
    const paths = Object.keys(current.routes ?? {})
    if (status === 'on' && paths.length > 0)
      throw rejected(
        'site',
        name,
        `it shows ${paths.join(', ')}`,
        `First \`deploy disable ${name}\``,
      )
    const { [name]: _, ...remotes } = withoutCanary(site, name).remotes
    return { site: { ...site, remotes }, summary: `${name} removed` }
  })
