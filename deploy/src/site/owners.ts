import { isDeepStrictEqual } from 'node:util'
import { rejected } from '../rejected.ts'
import { jsonBytes } from '../target/target.ts'
import { versionsOf } from './compose.ts'
import { deployKey, isSignedBy } from './keys.ts'
import type { SiteRecord } from './record.ts'
import { HOST_NAME, versionFolder } from './version-folders.ts'

/** The row of the owners' table whose keys may change everything. Settings and the table itself are theirs alone. */
const SITE_ROLE = 'site'

/* Parts that only the site's keys may change. No package has such a name. */
const CONFIGURATION = 'its configuration'
const OWNERS = "its owners' table"
const RECORDS = 'its old records'

type Owners = NonNullable<SiteRecord['owners']>

const mayChange = (owners: Owners, key: string, part: string): boolean =>
  [SITE_ROLE, part].some((row) => owners[row]?.includes(key))

/** What a record changes: packages by name, configuration, owners' table. */
function changedParts(before: SiteRecord, after: SiteRecord): string[] {
  const names = [before, after].flatMap(({ remotes, before }) => Object.keys({ ...remotes, ...before }))
  const partOf = ({ shell, remotes, before }: SiteRecord, name: string) => [
    name === HOST_NAME ? shell : remotes[name],
    before[name],
  ]
  return [
    ...[...new Set([HOST_NAME, ...names])].filter(
      (name) => !isDeepStrictEqual(partOf(before, name), partOf(after, name)),
    ),
    ...(isDeepStrictEqual(before.config, after.config) ? [] : [CONFIGURATION]),
    ...(isDeepStrictEqual(before.owners, after.owners) ? [] : [OWNERS]),
    ...(after.change.verb === 'prune' ? [RECORDS] : []),
  ]
}

/**
 * Why a record may not follow another one, according to the owners' table of the one before. Empty: it may.
 * @param before the nearest earlier record that is not pruned; null: there is none
 * @param bytes the record as it is stored
 */
export function stepFaults(before: SiteRecord | null, record: SiteRecord, bytes: Buffer): string[] {
  const owners = before?.owners ?? record.owners
  if (!owners) return []
  if (!record.owners) return ['it has no owners, but the record before it has']
  const { signature } = record
  if (!signature) return ['it is not signed']
  const { key, value } = signature
  if (!isSignedBy(key, signedBytes(bytes), value)) return ['its signature is wrong']
  if (!Object.values(owners).flat().includes(key)) return [`it is signed by ${key}, which owns nothing here`]
  const parts = before ? changedParts(before, record) : []
  // Pruned records in between may have changed remotes, but not the table: `prune` keeps each change of it.
  const follows = before?.number === record.number - 1
  const known = follows ? parts : parts.filter((part) => part === OWNERS || part === RECORDS)
  const needed = before?.owners ? known : [SITE_ROLE]
  return [
    ...needed
      .filter((part) => !mayChange(owners, key, part))
      .map((part) => `it changes ${part}, and ${key} does not own that`),
    ...buildFaults(before, record),
  ]
}

/** A record holds the hash of each build that it names, the same as before, so that its signature covers the code. */
function buildFaults(before: SiteRecord | null, { builds = {}, ...record }: SiteRecord): string[] {
  const named = new Set(versionsOf(record).map(([name, version]) => versionFolder(name, version)))
  const wrong = Object.keys({
    ...builds,
    ...Object.fromEntries([...named].map((name) => [name, ''])),
  }).filter(
    (folder) =>
      !named.has(folder) ||
      !builds[folder] ||
      (before?.builds?.[folder] && !isDeepStrictEqual(before.builds[folder], builds[folder])),
  )
  return wrong.map((folder) => `it names no hash, or another one, of ${folder}`)
}

/** JSON keeps the order of names, so parsing and writing a record again gives the bytes that were signed. */
function signedBytes(stored: Buffer): Buffer {
  const { signature: _, ...signed } = JSON.parse(stored.toString('utf8'))
  return jsonBytes(signed)
}

/**
 * Signs a record by `DEPLOY_KEY`, where the site has owners.
 * @throws Rejected without a key, or when the key does not own what the record changes
 */
export function signed(before: SiteRecord | null, record: SiteRecord): SiteRecord {
  if (!record.owners) return record
  const key = deployKey()
  if (!key)
    throw rejected(
      'owners',
      'this site',
      'it has owners, so every change must be signed',
      'Name the file of your key in DEPLOY_KEY',
    )
  const { publicKey } = key
  const result = { ...record, signature: { key: publicKey, value: key.sign(jsonBytes(record)) } }
  const [fault] = stepFaults(before, result, jsonBytes(result))
  if (fault)
    throw rejected(
      'owners',
      record.change.packages.join(', ') || 'this site',
      fault,
      '`deploy owners` lists who does',
    )
  return result
}
