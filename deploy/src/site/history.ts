import { isDeepStrictEqual } from 'node:util'
import { HOST_NAME } from '../builds/read-build.ts'
import type { Target } from '../target/target.ts'
import { versionInSite } from './compose.ts'
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

/**
 * Yields where rollbacks lead. An earlier rollback continues from the record
 * that it went back to.
 * @param before all records before the newest, from the last one on
 */
export async function* earlierRecords(
  before: AsyncIterable<SiteRecord> | Iterable<SiteRecord>,
  newest: SiteRecord,
  name: string | undefined,
): AsyncGenerator<SiteRecord> {
  const { state, verbs, isGood } = name === undefined ? ofSite : ofPackage(name)
  let run = newest
  /** Skips to the state that the run's first change went back to. */
  let isBack = false

  for await (const record of before) {
    const isSame = isDeepStrictEqual(state(record), state(run))
    if (isSame) {
      run = record
      isBack = false
      continue
    }
    isBack ||= verbs.includes(run.change.verb)
    if (isBack) continue
    if (state(record) === undefined) return
    run = record
    if (isGood(record)) yield record
  }
}

/** Yields the newest first, without those that a rollback of the site undid. */
export async function* standingRecords(
  target: Target,
  newest: SiteRecord,
): AsyncGenerator<SiteRecord> {
  yield newest
  let run = newest
  for await (const record of recordsBefore(target, newest.number)) {
    const isBack = run.change.verb === SITE_ROLLBACK
    if (isBack && !isDeepStrictEqual(ofSite.state(record), ofSite.state(run))) continue
    run = record
    yield record
  }
}
