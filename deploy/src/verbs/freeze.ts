import { z } from 'zod'
import { rejected } from '../rejected.ts'
import { authorize, authorOf, type Context } from '../site/context.ts'
import { currentSite } from '../site/record.ts'
import { jsonBytes, readJson, type Target } from '../target/target.ts'

const freezeSchema = z.object({
  /** ISO 8601. */
  from: z.iso.datetime(),
  /** Unset: until somebody ends it. */
  to: z.iso.datetime().optional(),
  by: z.string(),
})
export type Freeze = z.infer<typeof freezeSchema>

/** Not in the records: nothing of the site changes when a freeze begins or ends. */
const PATH = '.deploy/freeze.json'

/** Changes that a freeze allows: they undo, and bring nothing new. */
const ALLOWED = new Set(['rollback', 'disable', 'canary stop'])

/** Returns the freeze that is or will be; null when there is none. */
export async function readFreeze(target: Target, now = new Date()): Promise<Freeze | null> {
  const freeze = freezeSchema.nullable().parse(await readJson(target, PATH))
  return freeze?.to && Date.parse(freeze.to) <= now.getTime() ? null : freeze
}

export const freezeText = ({ from, to, by }: Freeze): string =>
  `frozen from ${from} ${to ? `to ${to}` : 'until somebody ends it'} by ${by}: only rollback, disable and canary stop are done`

/** @throws Rejected while the site is frozen, unless the change takes something back */
export async function checkFreeze(
  { target }: Context,
  verb: string,
  now = new Date(),
): Promise<void> {
  if (ALLOWED.has(verb)) return
  const freeze = await readFreeze(target, now)
  if (!freeze || Date.parse(freeze.from) > now.getTime()) return
  throw rejected(
    'freeze',
    'the site',
    freezeText(freeze),
    'Wait, or ask whoever may end it: `deploy freeze --off`',
  )
}

/** Sets the time in which nothing changes; null ends it. */
export async function setFreeze(
  context: Context,
  time: { readonly from: Date; readonly to?: Date | undefined } | null,
): Promise<Freeze | null> {
  await currentSite(context.target)
  await authorize(context, ['the freeze'])
  if (!time) {
    await context.target.remove(PATH)
    return null
  }
  const { from, to } = time
  if (to && to <= from)
    throw rejected('freeze', '--to', 'it is not after the beginning', 'Name a later time')
  const freeze: Freeze = {
    from: from.toISOString(),
    ...(to && { to: to.toISOString() }),
    by: authorOf(context),
  }
  await context.target.write(PATH, jsonBytes(freeze))
  return freeze
}
