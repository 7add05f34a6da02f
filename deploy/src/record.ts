import { compositionSchema } from '@anniversary/shared/contract/composition'
import { publicConfigSchema } from '@anniversary/shared/contract/config'
import { z } from 'zod'
import { readJson, type Target } from './target/target.ts'

/** Who changed what, for `deploy history`. Never reaches a page. */
const changeSchema = z.object({
  verb: z.string(),
  /** Packages that the change is about; empty for one about the whole site. */
  packages: z.array(z.string()),
  summary: z.string(),
  by: z.string(),
  /** Number of the state that a rollback of the whole site went back to; the next one continues from there. */
  restored: z.number().int().positive().optional(),
})
export type Change = z.infer<typeof changeSchema>

/** One state of the site, kept for ever as `compositions/000042.json`: all that its pages are made from. */
export const recordSchema = compositionSchema.extend({
  config: publicConfigSchema,
  change: changeSchema,
})
export type SiteRecord = z.infer<typeof recordSchema>

/** What verbs change; the rest of a record is added when it is written. */
export type Draft = Pick<SiteRecord, 'shell' | 'remotes' | 'config'>

const FOLDER = 'compositions'
export const recordPath = (number: number): string => `${FOLDER}/${String(number).padStart(6, '0')}.json`
export const POINTER_PATH = 'composition.json'

/** Throws when the record exists and is not one. */
export async function readRecord(target: Target, number: number): Promise<SiteRecord | null> {
  const json = await readJson(target, recordPath(number))
  return json === null ? null : recordSchema.parse(json)
}

/**
 * The site's newest state, also when a deploy died after writing it and before moving the pointer to it.
 * Null: nothing was ever published here.
 */
export async function newestRecord(target: Target): Promise<SiteRecord | null> {
  const pointer = z
    .object({ number: z.number() })
    .nullable()
    .parse(await readJson(target, POINTER_PATH))
  let newest = pointer && (await readRecord(target, pointer.number))
  if (pointer && !newest) throw new Error(`${target.url}/${recordPath(pointer.number)} is missing`)
  for (;;) {
    const next = await readRecord(target, (newest?.number ?? 0) + 1)
    if (!next) return newest
    newest = next
  }
}

/** All states, oldest first. */
export async function allRecords(target: Target): Promise<SiteRecord[]> {
  const paths = await target.list(FOLDER)
  const records = await Promise.all(paths.map((path) => readJson(target, path)))
  return records.map((json) => recordSchema.parse(json)).sort((a, b) => a.number - b.number)
}
