import { isDeepStrictEqual } from 'node:util'
import { siteRoutes } from '@anniversary/shared/contract/routes'
import { errorMessage } from '@anniversary/shared/error-message'
import { activeFreezeOf, frozenText, takesBack } from '../checks/freeze-rule.ts'
import { headerRules } from '../serve/headers.ts'
import { compositionOf } from '../site/compose.ts'
import { authorOfChange, type Context } from '../site/context.ts'
import {
  pathOfRecord,
  ROLLBACKS,
  readSitePointer,
  requireSiteRecord,
  type SiteRecord,
} from '../site/record.ts'
import { uploadVersions } from '../site/version-folders.ts'
import { writeNewestPages } from '../site/write-pages.ts'
import { jsonBytes, type Target } from '../target/target.ts'
import { type Checked, checkBuilds } from './check-builds.ts'
import { type Change, type CheckOptions, type Derived, deriveRecord, type Next } from './derive.ts'
import { tornWarnings } from './status.ts'
import { notifyWebhook } from './webhook.ts'

export interface Outcome extends Pick<Derived, 'record' | 'summary' | 'changed'>, Checked {}

/** Of several deploys at once, all land. */
export async function applySiteChange(context: Context, change: Change): Promise<Outcome> {
  const { target } = context
  let derived = await deriveRecord(context, change)
  const checked = await checkDerived(context, derived, change.checks)

  const isTakenBack = takesBack(change.verb)
  if (isTakenBack) await target.freeReserve?.()
  else await target.keepReserve?.()
  await uploadVersions(target, derived.candidates)
  // A freeze may have begun during the smoke test and the upload.
  if (change.checks && derived.changed) derived = await deriveRecord(context, change)

  // One deploy creates a number. The others derive the next one and check
  // again.
  const create = ({ record }: Derived) =>
    target.create(pathOfRecord(record.number), jsonBytes(record))
  while (derived.changed && !(await create(derived))) derived = await deriveRecord(context, change)
  // The pages may fail, and the change is made nevertheless.
  const announcing = announce(context, change.verb, derived)
  await writePagesOf(target, derived).finally(() => announcing)
  // On a full disk, the next change makes the reserve.
  if (isTakenBack) await target.keepReserve?.().catch(() => undefined)

  const { before, record, summary, changed, torn } = derived
  const warnings = [...tornWarnings(torn), ...checked.warnings]
  if (before) warnings.push(...changeWarnings(before, record))
  warnings.push(...(await announcing))
  return { record, summary, changed, smoke: checked.smoke, warnings }
}

async function checkDerived(
  context: Context,
  derived: Derived,
  checks: CheckOptions | undefined,
): Promise<Checked> {
  if (!derived.changed || !checks) return { warnings: [], smoke: [] }
  return await checkBuilds(context, derived, checks)
}

async function writePagesOf(target: Target, derived: Derived): Promise<void> {
  const { record, summary, changed } = derived
  try {
    await writeNewestPages(target, await readSitePointer(target), derived)
  } catch (cause) {
    if (!changed) throw cause
    throw new Error(
      `Composition ${record.number} is recorded (${summary}), but not all of its files: ${errorMessage(cause)}. Run \`deploy verify --repair\` to write its pages.`,
      { cause },
    )
  }
}

const ANNOUNCED = [...ROLLBACKS, 'disable', 'enable', 'freeze']

export const canariesOf = (site: SiteRecord | null) =>
  Object.entries(site?.remotes ?? {}).flatMap(([name, { canary }]) =>
    canary ? [{ name, canary }] : [],
  )

async function announce(
  context: Context,
  verb: string,
  { before, record, summary, changed }: Derived,
): Promise<string[]> {
  // Publishes and removals may end a canary.
  const isOfCanary = !isDeepStrictEqual(canariesOf(before), canariesOf(record))
  const isAnnounced = isOfCanary || ANNOUNCED.includes(verb)
  if (!isAnnounced || !changed || context.isDryRun) return []
  return await notifyWebhook(
    `${context.target.url} ${record.number}: ${summary} (${verb} by ${authorOfChange(context)})`,
  )
}

export const changeSite = async (
  context: Context,
  verb: string,
  given: Omit<Change, 'verb' | 'next'>,
  next: (site: SiteRecord) => Promise<Next> | Next,
): Promise<Outcome> =>
  await applySiteChange(context, {
    verb,
    ...given,
    next: (before) => next(requireSiteRecord(before)),
  })

/**
 * nginx and CDNs must be given changed headers; the small server reads them.
 */
function changeWarnings(before: SiteRecord, after: SiteRecord): string[] {
  const left = siteRoutes({}, after.remotes)
  const gone = Object.keys(siteRoutes({}, before.remotes)).filter((path) => !left[path])
  const headersOf = (record: SiteRecord) => headerRules(compositionOf(record), record.config)
  const warnings = gone.map((path) => `${path} is no longer a page of the site`)
  if (!isDeepStrictEqual(headersOf(before), headersOf(after)))
    warnings.push("the pages' headers have changed: give them to nginx or the CDN anew")

  const old = activeFreezeOf(before, new Date(after.createdAt))
  const isReplaced = old && after.freeze && frozenText(old) !== frozenText(after.freeze)
  if (isReplaced) warnings.push(`this replaces: ${frozenText(old)}`)
  return warnings
}
