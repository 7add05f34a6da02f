import { compositionSchema } from '@anniversary/shared/contract/composition'
import { publicConfigSchema } from '@anniversary/shared/contract/config'
import { z } from 'zod'
import { rejected } from '../rejected.ts'
import { readJson, type Target } from '../target/target.ts'

/**
 * One numbered state of the site, kept until it is pruned as `compositions/000042.json`: everything its pages are made from, and
 * who made the change. The part that pages run by is its composition (`compositionOf`).
 */
export const recordSchema = compositionSchema.extend({
  config: publicConfigSchema,
  /** The way back, by package: number of the newest record with its last good version before the current one. */
  before: z.record(z.string(), z.number().int().positive()).default({}),
  /** For `deploy history`. */
  change: z.object({
    verb: z.string(),
    /** Packages that the change is about; empty for one about the whole site. */
    packages: z.array(z.string()),
    summary: z.string(),
    by: z.string(),
    /** Number of the record that a rollback of the whole site restored; the next rollback continues from there. */
    restored: z.number().int().positive().optional(),
  }),
})
export type SiteRecord = z.infer<typeof recordSchema>

/** The part of a record that verbs change. */
export type SiteState = Pick<SiteRecord, 'shell' | 'remotes' | 'config'>

const FOLDER = 'compositions'
export const recordPath = (number: number): string => `${FOLDER}/${String(number).padStart(6, '0')}.json`
export const POINTER_PATH = 'composition.json'

/** Null when there is no such record. Throws when the file is not a record. */
export async function readRecord(target: Target, number: number): Promise<SiteRecord | null> {
  const json = await readJson(target, recordPath(number))
  return json === null ? null : recordSchema.parse(json)
}

/** Number of the record that the pointer shows; null: there is no pointer yet. */
export async function pointerNumber(target: Target): Promise<number | null> {
  const pointer = z.object({ number: z.number() }).nullable()
  return pointer.parse(await readJson(target, POINTER_PATH))?.number ?? null
}

/**
 * The newest record, also when a deploy died after writing it and before moving the pointer to it. Null: nothing was
 * ever published here.
 */
export async function newestRecord(target: Target): Promise<SiteRecord | null> {
  const pointer = await pointerNumber(target)
  // Without a pointer the first records may be pruned.
  let newest = pointer === null ? (await allRecords(target)).at(-1) : await readRecord(target, pointer)
  if (pointer !== null && !newest) throw new Error(`${target.url}/${recordPath(pointer)} is missing`)
  for (;;) {
    const next = await readRecord(target, (newest?.number ?? 0) + 1)
    if (!next) return newest ?? null
    newest = next
  }
}

/** All records, oldest first. */
export async function allRecords(target: Target): Promise<SiteRecord[]> {
  const paths = await target.list(FOLDER)
  const records = await Promise.all(paths.map((path) => readJson(target, path)))
  return records.map((json) => recordSchema.parse(json)).sort((a, b) => a.number - b.number)
}

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

/** @throws Rejected when there is no such record */
export async function requireRecord(target: Target, number: number): Promise<SiteRecord> {
  const record = await readRecord(target, number)
  if (record) return record
  throw rejected('site', `composition ${number}`, 'it does not exist', 'Choose one of `deploy history`')
}
