import { formatEventTime } from '@anniversary/shared/contract/event-time'
import { createRejection } from '../rejected.ts'
import { type Context, FREEZE } from '../site/context.ts'
import { recordsBefore } from '../site/history.ts'
import { type Freeze, ROLLBACKS, type SiteRecord } from '../site/record.ts'
import type { Target } from '../target/target.ts'

/** These bring nothing new. */
const TAKES_BACK = [...ROLLBACKS, 'disable', 'canary stop']
export const takesBack = (verb: string): boolean => TAKES_BACK.includes(verb)

/** The others change no code that members run. */
const ALLOWED = [...TAKES_BACK, 'freeze', 'notice', 'preview']

export function activeFreezeOf({ freeze }: SiteRecord, now: Date): Freeze | undefined {
  if (freeze?.until && Date.parse(freeze.until) <= now.getTime()) return undefined
  return freeze
}

/** End of a freeze that has no time. */
const LIFTED = 'somebody lifts it'

export const frozenText = ({ from, until }: Freeze): string =>
  `frozen from ${formatEventTime(from)} until ${until ? formatEventTime(until) : LIFTED}`

export function freezeText(freeze: Freeze): string {
  const { except, by } = freeze
  const changes = [...except.map((name) => `changes of ${name}`), 'rollback', 'disable']
  return `${frozenText(freeze)} by ${by}: only ${changes.join(', ')} and canary stop are done`
}

interface FrozenChange {
  readonly verb: string
  readonly parts: readonly string[]
}

/** @throws Rejected for a frozen change */
export async function checkFreeze(
  { target, caller }: Context,
  site: SiteRecord,
  { verb, parts }: FrozenChange,
): Promise<void> {
  if (ALLOWED.includes(verb)) return
  const now = target.now()
  const freeze = activeFreezeOf(site, now)
  if (!freeze || Date.parse(freeze.from) > now.getTime()) return

  const [name, ...more] = parts.filter((part) => !freeze.except.includes(part))
  // Also without parts: `publish --changed` may have nothing left.
  if (name === undefined) return
  const isSwitchedOn = verb === 'enable' && more.length === 0
  if (isSwitchedOn && (await wasOn(target, site, name, freeze))) return

  const whoMay = caller?.whoMay(FREEZE).join(', ') || freeze.by
  throw createRejection(
    'freeze',
    name,
    freezeText(freeze),
    `Wait, or ask ${whoMay}: \`deploy freeze --off\` lifts it, \`deploy freeze --except ${name}\` for one package`,
  )
}

/** What was switched off within a freeze may be switched on. */
async function wasOn(
  target: Target,
  { number }: SiteRecord,
  name: string,
  { from }: Freeze,
): Promise<boolean> {
  for await (const { remotes, createdAt } of recordsBefore(target, number + 1)) {
    if (remotes[name]?.status === 'on') return true
    if (Date.parse(createdAt) < Date.parse(from)) return false
  }
  return false
}
