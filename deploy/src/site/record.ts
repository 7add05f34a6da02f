import { compositionSchema } from '@anniversary/shared/contract/composition'
import { publicConfigSchema } from '@anniversary/shared/contract/config'
import { originSchema } from '@anniversary/shared/contract/origin'
import { z } from 'zod'
import { judgementSchema } from '../canary/comparison.ts'
import { rejected } from '../rejected.ts'
import { parseJson, readJson, sha256, type Target } from '../target/target.ts'
import { publicKeySchema } from './keys.ts'

export const ownersSchema = z.record(z.string(), z.array(publicKeySchema).min(1))

/**
 * One numbered state of the site, stored as `compositions/000042.json` until it is pruned: all that its pages are made
 * from, and who made the change. Its composition (`compositionOf`) is the part that pages carry.
 */
const recordSchema = compositionSchema.extend({
  config: publicConfigSchema,
  /** The way back, by package: number of the newest record with its last good version before the current one. */
  before: z.record(z.string(), z.number().int().positive()).default({}),
  /** SHA-256 of the records that this one builds on, by number: the one before it, and those of `before`. */
  links: z.record(z.string(), z.string()).optional(),
  /** By folder, for each version that a page may run: the hash of its `build.json`, and where it came from. */
  builds: z.record(z.string(), z.object({ hash: z.string(), origin: originSchema.optional() })).optional(),
  /** Keys that may sign changes, by package; `site`: all changes. Absent: nobody signs. */
  owners: ownersSchema.optional(),
  /** For `deploy history`. */
  change: z.object({
    verb: z.string(),
    /** Packages that the change is about; empty for one about the whole site. */
    packages: z.array(z.string()),
    summary: z.string(),
    by: z.string(),
    /** Number of the record that a rollback of the whole site restored; the next rollback continues from there. */
    restored: z.number().int().positive().optional(),
    /** Figures, if the judge of a canary made the change. */
    judgement: judgementSchema.optional(),
  }),
  /** Of the rest of the record, by a key that the owners' table before it allows (site/owners.ts). */
  signature: z.object({ key: publicKeySchema, value: z.string() }).optional(),
})
export type SiteRecord = z.infer<typeof recordSchema>

/** The part of a record that verbs change. */
export type SiteState = Pick<SiteRecord, 'shell' | 'remotes' | 'config'>

const FOLDER = 'compositions'
export const recordPath = (number: number): string => `${FOLDER}/${String(number).padStart(6, '0')}.json`
export const POINTER_PATH = 'composition.json'

/** A record as the site has it. */
export interface StoredRecord {
  readonly record: SiteRecord
  readonly bytes: Buffer
  /** SHA-256. */
  readonly hash: string
}

async function readStoredAt(target: Target, path: string): Promise<StoredRecord | null> {
  const bytes = await target.read(path)
  if (!bytes) return null
  const record = recordSchema.parse(parseJson(target, path, bytes))
  if (recordPath(record.number) !== path)
    throw new Error(`${target.url}/${path} says that it is ${record.number}`)
  return { record, bytes, hash: sha256(bytes) }
}

/** Null when there is no such record. Throws when the file is not a record. */
export const readStored = (target: Target, number: number): Promise<StoredRecord | null> =>
  readStoredAt(target, recordPath(number))

/** Null when there is no such record. Throws when the file is not a record. */
export const readRecord = async (target: Target, number: number): Promise<SiteRecord | null> =>
  (await readStored(target, number))?.record ?? null

/** Number of the record that the pointer names; null: there is no pointer yet. */
export async function pointerNumber(target: Target): Promise<number | null> {
  const pointer = z.object({ number: z.number() }).nullable()
  return pointer.parse(await readJson(target, POINTER_PATH))?.number ?? null
}

/**
 * The newest record, even if a deploy died after writing it and before moving the pointer to it. Null: nothing was ever
 * published here.
 */
export async function newestStored(target: Target): Promise<StoredRecord | null> {
  const pointer = await pointerNumber(target)
  // Without a pointer all are listed, because the first ones may be pruned.
  let newest = pointer === null ? (await allStored(target)).at(-1) : await readStored(target, pointer)
  if (pointer !== null && !newest) throw new Error(`${target.url}/${recordPath(pointer)} is missing`)
  for (;;) {
    const next = await readStored(target, (newest?.record.number ?? 0) + 1)
    if (!next) return newest ?? null
    newest = next
  }
}

export const newestRecord = async (target: Target): Promise<SiteRecord | null> =>
  (await newestStored(target))?.record ?? null

/** All records, oldest first. */
export async function allStored(target: Target): Promise<StoredRecord[]> {
  const stored = await Promise.all((await target.list(FOLDER)).map((path) => readStoredAt(target, path)))
  return stored.filter((one) => one !== null).sort((a, b) => a.record.number - b.record.number)
}

export const allRecords = async (target: Target): Promise<SiteRecord[]> =>
  (await allStored(target)).map(({ record }) => record)

/** @throws Rejected when nothing was ever published here */
export function requireSite(record: SiteRecord | null): SiteRecord {
  if (record) return record
  throw rejected(
    'site',
    'this site',
    'nothing was ever published here',
    'Check --site, or publish the shell first',
  )
}

/**
 * The newest record.
 * @throws Rejected when nothing was ever published here
 */
export const currentSite = async (target: Target): Promise<SiteRecord> =>
  requireSite(await newestRecord(target))

/** @throws Rejected when there is no such record */
export function existing(number: number, record: SiteRecord | null): SiteRecord {
  if (record) return record
  throw rejected('site', `composition ${number}`, 'it does not exist', 'Choose one of `deploy history`')
}

/** @throws Rejected when there is no such record */
export const requireRecord = async (target: Target, number: number): Promise<SiteRecord> =>
  existing(number, await readRecord(target, number))
