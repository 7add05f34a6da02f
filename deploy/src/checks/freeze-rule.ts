import { createRejection } from '../rejected.ts'
import { type Context, FREEZE } from '../site/context.ts'
import { recordsBefore } from '../site/history.ts'
import { type Freeze, ROLLBACKS, type SiteRecord } from '../site/record.ts'
import type { Target } from '../target/target.ts'

/** A freeze allows changes that bring nothing new. */
const TAKES_BACK = new Set([...ROLLBACKS, 'disable', 'canary stop'])
export const takesBack = (verb: string): boolean => TAKES_BACK.has(verb)

/** These change no code that members run. */
const OTHERS = new Set(['freeze', 'notice', 'preview'])

export function activeFreezeOf({ freeze }: SiteRecord, now: Date): Freeze | undefined {
  const hasEnded = freeze?.until && Date.parse(freeze.until) <= now.getTime()
  return hasEnded ? undefined : freeze
}

export function freezeText({ from, until, except, by }: Freeze): string {
  const end = until ? `until ${until}` : 'until somebody lifts it'
  const changes = [...except.map((name) => `changes of ${name}`), 'rollback', 'disable']
  return `frozen from ${from} ${end} by ${by}: only ${changes.join(', ')} and canary stop are done`
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
  if (takesBack(verb) || OTHERS.has(verb)) return
  const now = target.now()
  const freeze = activeFreezeOf(site, now)
  if (!freeze || Date.parse(freeze.from) > now.getTime()) return

  const [name, ...more] = parts.filter((part) => !freeze.except.includes(part))
  if (name === undefined && parts.length > 0) return
  const isOnlyOne = name !== undefined && more.length === 0
  const canUndo = verb === 'enable' && isOnlyOne
  if (canUndo && (await wasOn(target, site, name, freeze))) return

  const whoMay = caller?.whoMay(FREEZE).join(', ') || freeze.by
  throw createRejection(
    'freeze',
    name ?? 'the site',
    freezeText(freeze),
    `Wait, or ask ${whoMay}: \`deploy freeze --off\` lifts it, \`deploy freeze --except ${name ?? 'NAME'}\` for one package`,
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
