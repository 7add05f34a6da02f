import { isDeepStrictEqual } from 'node:util'
import { HOST_NAME } from '../builds/read-build.ts'
import type { Target } from '../target/target.ts'
import { versionInSite, withoutEndedCanaries } from './compose.ts'
import { ROLLBACKS, readRecord, SITE_ROLLBACK, type SiteRecord } from './record.ts'

/** A bucket answers slowly. */
const MOST_AT_ONCE = 64

export async function* recordsBefore(target: Target, newest: number): AsyncGenerator<SiteRecord> {
  let number = newest
  for (let size = 2; number > 1; size = Math.min(size * 2, MOST_AT_ONCE)) {
    const count = Math.min(size, number - 1)
    const numbers = Array.from({ length: count }, (_, n) => number - 1 - n)
    const records = await Promise.all(numbers.map((one) => readRecord(target, one)))
    for (const record of records) if (record) yield record
    number -= count
  }
}

interface RollbackOf {
  readonly state: (site: SiteRecord) => unknown
  readonly verbs: readonly string[]
  readonly isGood: (site: SiteRecord) => boolean
}

const ofPackage = (name: string): RollbackOf => ({
  state: (site) => versionInSite(site, name),
  verbs: ROLLBACKS,
  // A version that was switched off was bad.
  isGood: ({ remotes }) => name === HOST_NAME || remotes[name]?.status === 'on',
})

const ofSite: RollbackOf = {
  // A freeze stays.
  state: ({ shell, remotes, config }) => ({ shell, remotes, config }),
  verbs: [SITE_ROLLBACK],
  isGood: () => true,
}

/** Returns true for a change that did nothing else. */
export function onlyEndsCanaries(before: SiteRecord, after: SiteRecord): boolean {
  const { state } = ofSite
  const rest = withoutEndedCanaries(before, after)
  return rest !== before && isDeepStrictEqual(state(rest), state(after))
}

type Records = AsyncIterable<SiteRecord> | Iterable<SiteRecord>

/**
 * Yields where rollbacks lead. An earlier rollback continues from the record
 * that it went back to.
 * @param before all records before the newest, from the last one on
 */
export async function* earlierRecords(
  before: Records,
  newest: SiteRecord,
  name: string | undefined,
): AsyncGenerator<SiteRecord> {
  const kind = name === undefined ? ofSite : ofPackage(name)
  const { state, isGood } = kind
  let run = newest
  for await (const record of standingRecords(before, newest, kind)) {
    const isSame = isDeepStrictEqual(state(record), state(run))
    run = record
    if (isSame) continue
    if (state(record) === undefined) return
    if (isGood(record)) yield record
  }
}

/** Yields the newest first, without those that a rollback undid. */
export async function* standingRecords(
  before: Records,
  newest: SiteRecord,
  kind: RollbackOf = ofSite,
): AsyncGenerator<SiteRecord> {
  const { state, verbs } = kind
  let run = newest
  let undone: SiteRecord[] = []
  yield newest
  for await (const record of before) {
    const isBack = verbs.includes(run.change.verb)
    if (isBack && !isDeepStrictEqual(state(record), state(run))) {
      undone.push(record)
      continue
    }
    run = record
    undone = []
    yield record
  }
  // A rollback to a number left out canaries that had ended.
  const left = undone.map((record) => withoutEndedCanaries(record, run))
  const at = left.findIndex((record) => isDeepStrictEqual(state(record), state(run)))
  const end = left[at]
  if (end) yield* standingRecords(left.slice(at + 1), end, kind)
}
