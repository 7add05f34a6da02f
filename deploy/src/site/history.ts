import { type Problem, Rejected, rejected } from '../rejected.ts'
import type { Target } from '../target/target.ts'
import { type KnownSite, knownSite, knownSitePath, remember } from './known-site.ts'
import { stepFaults } from './owners.ts'
import {
  allStored,
  newestStored,
  pointerNumber,
  readStored,
  recordPath,
  type SiteRecord,
  type StoredRecord,
} from './record.ts'

/**
 * The records that a change builds on. On a site with owners each is checked: a key that the owners' table before it
 * allows has signed it, and a later record holds its hash.
 */
export interface History {
  readonly newest: SiteRecord | null
  /** SHA-256 of the record that brought the first owners; null: the site has none. */
  readonly root: string | null
  /** Hashes and origins of builds, by folder, from the records that were read. */
  readonly builds: ReadonlyMap<string, NonNullable<SiteRecord['builds']>[string]>
  /**
   * Null when there is no such record.
   * @throws Rejected when a later record holds another hash for it
   */
  read(number: number): Promise<SiteRecord | null>
  /** SHA-256 of these records by number. Leaves out those that are pruned. */
  links(numbers: readonly number[]): Promise<Record<string, string>>
}

/** @throws Rejected when the site has owners, and a record was changed, is missing, or has no valid signature */
export async function openHistory(target: Target): Promise<History> {
  const known = await knownSite(target)
  const stored = await newestStored(target)
  const owned = Boolean(known.root ?? stored?.record.owners)
  const hashes = new Map<number, string>()
  const builds = new Map<string, NonNullable<SiteRecord['builds']>[string]>()
  function learn({ record, hash }: StoredRecord): void {
    hashes.set(record.number, hash)
    for (const [number, link] of Object.entries(record.links ?? {}))
      if (!hashes.has(Number(number))) hashes.set(Number(number), link)
    for (const [folder, build] of Object.entries(record.builds ?? {}))
      if (!builds.has(folder)) builds.set(folder, build)
  }
  const checked = owned
    ? await checkedRecords(target, known)
    : { records: stored ? [stored] : [], root: null }
  for (const one of checked.records.toReversed()) learn(one)

  async function read(number: number): Promise<StoredRecord | null> {
    const one = await readStored(target, number)
    if (!one) return null
    if (owned && !hashes.has(number))
      for (const older of (await checkedRecords(target, known, true)).records)
        hashes.set(older.record.number, older.hash)
    if (owned && hashes.get(number) !== one.hash)
      throw rejected(
        'owners',
        recordPath(number),
        'it is not the record that later ones were made from',
        'Choose another one',
      )
    learn(one)
    return one
  }
  return {
    newest: checked.records.at(-1)?.record ?? null,
    root: checked.root,
    builds,
    read: async (number) => (await read(number))?.record ?? null,
    async links(numbers) {
      const links: Record<string, string> = {}
      for (const number of numbers) {
        const hash = hashes.get(number) ?? (await read(number))?.hash
        if (hash) links[number] = hash
      }
      return links
    },
  }
}

/**
 * Reads and checks the records from the last one that this machine has checked before; if there is none, all.
 * @throws Rejected
 */
async function checkedRecords(
  target: Target,
  known: KnownSite,
  all = false,
): Promise<{ records: readonly StoredRecord[]; root: string }> {
  const since = all ? null : await recordsSince(target, known)
  const records = since ?? (await allStored(target))
  const problems = historyProblems(target, records, known, since !== null)
  if (problems.length > 0) throw new Rejected(problems)
  const newest = records.at(-1)
  const root = known.root ?? rootOf(records)?.hash
  if (!newest || !root) throw new Error(`${target.url} has no owners any more`)
  await remember(target, { root, number: newest.record.number, hash: newest.hash })
  return { records, root }
}

/** Null when the record that this machine saw last is gone or was changed. */
async function recordsSince(target: Target, { seen }: KnownSite): Promise<StoredRecord[] | null> {
  if (!seen) return null
  const records: StoredRecord[] = []
  for (let number = seen.number; ; number++) {
    const next = await readStored(target, number)
    if (!next) break
    records.push(next)
  }
  const last = records.at(-1)?.record.number ?? 0
  return records[0]?.hash === seen.hash && last >= ((await pointerNumber(target)) ?? 0) ? records : null
}

const rootOf = (records: readonly StoredRecord[]): StoredRecord | undefined =>
  records.find(({ record }) => record.owners)

/** Checks all records of a site, for `verify`. */
export async function verifyHistory(target: Target): Promise<Problem[]> {
  return historyProblems(target, await allStored(target), await knownSite(target))
}

/**
 * Reasons not to trust records.
 * @param records oldest first, without gaps other than those of `prune`
 * @param trusted this machine has checked the first one before
 */
function historyProblems(
  target: Target,
  records: readonly StoredRecord[],
  { root, seen }: KnownSite,
  trusted = false,
): Problem[] {
  const hashes = new Map(records.map(({ record, hash }) => [record.number, hash]))
  const problems: Problem[] = []
  const report = (number: number, found: string): void => {
    problems.push({
      rule: 'owners',
      about: recordPath(number),
      found,
      todo: 'Somebody else may write to this site: docs/guides/owners.md says how to mend it',
    })
  }
  for (const [n, { record, bytes }] of records.entries()) {
    for (const [text, link] of Object.entries(record.links ?? {})) {
      const number = Number(text)
      if ((hashes.get(number) ?? link) !== link)
        report(number, `it is not the record that ${record.number} was made from`)
      else hashes.set(number, link)
    }
    const before = records[n - 1]?.record ?? null
    if (before || !trusted)
      for (const fault of stepFaults(before, record, bytes)) report(record.number, fault)
    if (before?.owners && before.number === record.number - 1 && !record.links?.[before.number])
      report(record.number, `it does not name the hash of ${before.number}`)
    const next = records[n + 1]?.record
    if (
      next?.links &&
      next.number > record.number + 1 &&
      !(isKept(record, records) && isPruned(next, records))
    )
      report(record.number + 1, 'it is missing')
  }
  const newest = records.at(-1)?.record.number ?? 0
  if (root && !trusted && rootOf(records)?.hash !== root)
    report(
      rootOf(records)?.record.number ?? newest,
      `the site's first owners are others than known here (${root})`,
    )
  if (seen && newest < seen.number)
    report(newest, `the site was put back: ${seen.number} was seen here (${knownSitePath(target)})`)
  if (seen && (hashes.get(seen.number) ?? seen.hash) !== seen.hash)
    report(seen.number, `it is another one than was seen here (${knownSitePath(target)})`)
  return problems
}

/** Whether `prune` keeps this record for good: it is the way back of a package, or it changed the owners. */
const isKept = ({ number, links, change }: SiteRecord, records: readonly StoredRecord[]): boolean =>
  !links ||
  change.verb === 'owners' ||
  records.some(({ record }) => Object.values(record.before).includes(number))

/**
 * Whether `prune` made the gap before a record. Nothing says what the signer of that record changed, so a key of the
 * site vouches for it: it has signed a later prune, whose links lead to it, or the record that brought the first
 * owners.
 */
const isPruned = (next: SiteRecord, records: readonly StoredRecord[]): boolean =>
  !next.owners ||
  records.some(
    ({ record }) =>
      record.number >= next.number && (record.change.verb === 'prune' || record === rootOf(records)?.record),
  )
