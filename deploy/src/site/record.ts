import { compositionSchema } from '@anniversary/shared/contract/composition'
import { publicConfigSchema } from '@anniversary/shared/contract/config'
import { z } from 'zod'
import { rejected } from '../rejected.ts'
import { readJson, type Target } from '../target/target.ts'

/**
 * One numbered composition of the site, stored as `compositions/000042.json`: all that its pages are made from, and who
 * made the change. It is the only type of a composition in this package. Pages carry a part of it (`compositionOf`).
 */
const recordSchema = compositionSchema.extend({
  config: publicConfigSchema,
  /** Rollback targets by package: number of the newest record with its last good version before the current one. */
  before: z.record(z.string(), z.number().int().positive()),
  change: z.object({
    verb: z.string(),
    packages: z.array(z.string()),
    summary: z.string(),
    by: z.string(),
    /** Number of the record that a rollback of the whole site restored; the next rollback continues from there. */
    restored: z.number().int().positive().optional(),
  }),
})
export type SiteRecord = z.infer<typeof recordSchema>

/** Returns a site before its first change. */
export const emptySite = (
  shell: SiteRecord['shell'],
  config: SiteRecord['config'],
): SiteRecord => ({
  number: 0,
  createdAt: '',
  shell,
  remotes: {},
  config,
  before: {},
  change: { verb: '', packages: [], summary: '', by: '' },
})

const FOLDER = 'compositions'
export const recordPath = (number: number): string =>
  `${FOLDER}/${String(number).padStart(6, '0')}.json`
export const POINTER_PATH = 'composition.json'

async function readAt(target: Target, path: string): Promise<SiteRecord | null> {
  const json = await readJson(target, path)
  if (json === null) return null
  const record = recordSchema.parse(json)
  if (recordPath(record.number) !== path)
    throw new Error(`${target.url}/${path} says that it is ${record.number}`)
  return record
}

export const readRecord = (target: Target, number: number): Promise<SiteRecord | null> =>
  readAt(target, recordPath(number))

/** Yields the records that rollbacks of a package lead to, the newest first. */
export async function* earlierRecords(target: Target, { before }: SiteRecord, name: string) {
  for (let number = before[name]; number !== undefined; ) {
    const record = await readRecord(target, number)
    if (!record) return
    yield record
    number = record.before[name]
  }
}

export async function pointerNumber(target: Target): Promise<number | null> {
  const pointer = z.object({ number: z.number() }).nullable()
  return pointer.parse(await readJson(target, POINTER_PATH))?.number ?? null
}

/** Returns null when nothing was ever published here. After a deploy that died, the pointer names an older record. */
export async function newestRecord(target: Target): Promise<SiteRecord | null> {
  const path = (await target.list(FOLDER)).at(-1)
  return path ? await readAt(target, path) : null
}

export async function allRecords(target: Target): Promise<SiteRecord[]> {
  const records = await Promise.all((await target.list(FOLDER)).map((path) => readAt(target, path)))
  return records.filter((record) => record !== null).sort((a, b) => a.number - b.number)
}

export function requireSite(record: SiteRecord | null): SiteRecord {
  if (record) return record
  throw rejected(
    'site',
    'this site',
    'nothing was ever published here',
    'Check --site, or publish the shell first',
  )
}

export const currentSite = async (target: Target): Promise<SiteRecord> =>
  requireSite(await newestRecord(target))

export async function requireRecord(target: Target, number: number): Promise<SiteRecord> {
  const record = await readRecord(target, number)
  if (record) return record
  throw rejected(
    'site',
    `composition ${number}`,
    'it does not exist',
    'Choose one of `deploy history`',
  )
}
