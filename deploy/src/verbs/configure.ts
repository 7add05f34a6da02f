import type { ComposedRemote } from '@anniversary/shared/contract/composition'
import { type PublicConfig, publicConfigSchema } from '@anniversary/shared/contract/config'
import { isEmbeddable } from '@anniversary/shared/contract/embeddable'
import { HOST_NAME } from '../builds/read-build.ts'
import { API_COPIES } from '../checks/api-contract.ts'
import { activeFreezeOf, frozenText } from '../checks/freeze-rule.ts'
import { createProblem, createRejection, issuesOf, Rejected } from '../rejected.ts'
import { composedRemoteOf, withoutCanary, withRemote } from '../site/compose.ts'
import { authorOfChange, CONFIGURATION, type Context, FREEZE } from '../site/context.ts'
import type { Freeze, SiteRecord } from '../site/record.ts'
import { changeSite, type Outcome } from './change.ts'
import type { CheckOptions } from './derive.ts'

type Settings = Readonly<Record<string, string | null>>

export const CONFIGURE = 'configure'

/** @throws Rejected where the live API has another site code or share host */
export async function changeSettings(
  context: Context,
  settings: Settings,
  checks: Pick<CheckOptions, 'apiContract'> = {},
): Promise<Outcome> {
  const isCompared = API_COPIES.some(([name]) => name in settings)
  const change = { name: CONFIGURATION, ...(isCompared && { checks }) }
  return await changeSite(context, CONFIGURE, change, (site) => {
    const config = configurationOf({ ...site.config, ...settings })
    const summary = Object.entries(settings).map(([name, value]) =>
      value === null ? `${name} unset` : `${name}=${value}`,
    )
    return { site: { ...site, config }, summary: summary.join(', ') }
  })
}

/** The schema itself must read records that older versions accepted. */
const wantedSchema = publicConfigSchema.refine(
  ({ megaliveUrl }) => isEmbeddable(new URL(megaliveUrl, 'https://site.example'), false),
  {
    path: ['megaliveUrl'],
    message: 'must be a path of this site, or https without a password',
  },
)

function configurationOf(settings: object): PublicConfig {
  const wanted = Object.entries(settings).filter(([, value]) => value !== null)
  const parsed = wantedSchema.safeParse(Object.fromEntries(wanted))
  if (parsed.success) return parsed.data
  const todo = `The settings are ${Object.keys(publicConfigSchema.shape).join(', ')}`
  throw new Rejected(
    issuesOf(parsed.error).map((found) => createProblem('site', 'configuration', found, todo)),
  )
}

const SWITCHING = { on: 'enable', off: 'disable' }

/** Kill switch. Publishing does not switch the remote on again. */
export const switchRemote = async (
  context: Context,
  name: string,
  status: ComposedRemote['status'],
  from?: number,
): Promise<Outcome> =>
  await changeSite(context, SWITCHING[status], { name, from }, (site) => ({
    site: withRemote(site, name, { ...composedRemoteOf(site, name), status }),
    summary: `${name} ${status}`,
  }))

/**
 * A mistyped name must remove no page.
 * @throws Rejected while the remote is on with routes
 */
export const removeRemote = async (context: Context, name: string): Promise<Outcome> =>
  await changeSite(context, 'remove', { name }, (site) => {
    const { status, current } = composedRemoteOf(site, name)
    const paths = Object.keys(current.routes ?? {})
    if (status === 'on' && paths.length > 0)
      throw createRejection(
        'site',
        name,
        `it shows ${paths.join(', ')}`,
        `First \`deploy disable ${name}\``,
      )
    const { [name]: _, ...remotes } = withoutCanary(site, name).remotes
    return { site: { ...site, remotes }, summary: `${name} removed` }
  })

/** Without `from`, a freeze that was set gets further exceptions. */
interface FreezeWish {
  readonly from?: Date | 'now' | undefined
  readonly until?: Date | undefined
  readonly except: readonly string[]
}

/** A setting of the record, so no change can slip in beside it. */
export const freezeSite = async (context: Context, wish: FreezeWish | 'lifted'): Promise<Outcome> =>
  await changeSite(context, 'freeze', { name: FREEZE }, (site) => {
    const { freeze: _, ...rest } = site
    if (wish === 'lifted') return { site: rest, summary: 'not frozen' }

    for (const name of wish.except) if (name !== HOST_NAME) composedRemoteOf(site, name)
    const freeze = freezeAfter(context, site, wish)
    const except = freeze.except.map((name) => `, except ${name}`).join('')
    return { site: { ...rest, freeze }, summary: `${frozenText(freeze)}${except}` }
  })

function freezeAfter(context: Context, site: SiteRecord, wish: FreezeWish): Freeze {
  const { until, except } = wish
  // A bucket's clock is known once the record has been read.
  const now = context.target.now()
  // That clock may go back within a second, so a freeze begins with the second.
  const thisSecond = new Date(now.getTime() - now.getMilliseconds())
  const from = wish.from === 'now' ? thisSecond : wish.from
  const running = activeFreezeOf(site, now)
  if (!from) {
    if (running) return { ...running, except: [...new Set([...running.except, ...except])] }
    throw createRejection(
      'freeze',
      'the site',
      'it is not frozen',
      'Name --now, or --from and --until',
    )
  }

  if (until && until <= from)
    throw createRejection('freeze', '--until', 'it is not after the beginning', 'Name a later time')
  return {
    from: from.toISOString(),
    ...(until && { until: until.toISOString() }),
    except: [...except],
    by: authorOfChange(context),
  }
}
