import { compositionSchema } from '@anniversary/shared/contract/composition'
import { publicConfigSchema } from '@anniversary/shared/contract/config'
import { z } from 'zod'
import { createRejection, issuesOf } from '../rejected.ts'
import { readJsonFile, type Target } from '../target/target.ts'

const freezeSchema = z.object({
  from: z.iso.datetime(),
  /** Unset: until somebody lifts it. */
  until: z.iso.datetime().optional(),
  except: z.array(z.string()),
  by: z.string(),
})
export type Freeze = z.infer<typeof freezeSchema>

/** A rollback of one package is a `rollback`. */
export const SITE_ROLLBACK = 'rollback site'
export const ROLLBACKS: readonly string[] = ['rollback', SITE_ROLLBACK]

const changeSchema = z
  .object({
    verb: z.string(),
    packages: z.array(z.string()),
    summary: z.string(),
    by: z.string(),
    /** Written until November 2026 by a rollback of the site. */
    restored: z.number().optional(),
  })
  .transform(({ restored, verb, ...change }) => ({
    ...change,
    verb: restored === undefined ? verb : SITE_ROLLBACK,
  }))

/** The only state of a site. Pages carry a part of it (`compositionOf`). */
const recordSchema = compositionSchema.extend({
  config: publicConfigSchema,
  freeze: freezeSchema.optional(),
  shown: compositionSchema.pick({ number: true, createdAt: true }).optional(),
  change: changeSchema,
})
export type SiteRecord = z.infer<typeof recordSchema>

export const emptySiteRecord = (
  shell: SiteRecord['shell'],
  config: SiteRecord['config'],
): SiteRecord => ({
  number: 0,
  createdAt: '',
  shell,
  remotes: {},
  config,
  change: { verb: '', packages: [], summary: '', by: '' },
})

const FOLDER = 'compositions'
export const pathOfRecord = (number: number): string =>
  `${FOLDER}/${String(number).padStart(6, '0')}.json`
export const POINTER_PATH = 'composition.json'

/** Pages are made from the order of its keys too. */
export const asStoredRecord = (record: SiteRecord): SiteRecord =>
  recordSchema.parse(JSON.parse(JSON.stringify(record)))

function parseRecord(path: string, json: unknown): SiteRecord | Error {
  const { data, error } = recordSchema.safeParse(json)
  if (!data) return new Error(issuesOf(error).join('; '))
  if (pathOfRecord(data.number) !== path) return new Error(`it says that it is ${data.number}`)
  return data
}

/** Returns null for a missing or damaged record; `verify` names the latter. */
export async function readRecord(target: Target, number: number): Promise<SiteRecord | null> {
  const path = pathOfRecord(number)
  const record = parseRecord(path, await readJsonFile(target, path))
  if (record instanceof Error) return null
  return record
}

export async function recordNumbers(target: Target): Promise<number[]> {
  const paths = await target.list(FOLDER)
  const numberIn = (path: string) => Number(path.slice(FOLDER.length + 1, -'.json'.length))
  return paths.filter((path) => pathOfRecord(numberIn(path)) === path).map(numberIn)
}

interface HistoryEnd {
  readonly newest: SiteRecord | null
  readonly next: number
  /** Numbers of later records that a power cut has torn. */
  readonly torn: readonly number[]
}

/** @throws Error when another release of this tool wrote the newest record */
export async function readHistoryEnd(target: Target): Promise<HistoryEnd> {
  const numbers = await recordNumbers(target)
  const next = (numbers.at(-1) ?? 0) + 1
  const torn: number[] = []

  for (const number of numbers.reverse()) {
    const path = pathOfRecord(number)
    const json = await readJsonFile(target, path)
    if (json === undefined || json === null) {
      torn.push(number)
      continue
    }

    const newest = parseRecord(path, json)
    if (newest instanceof Error)
      throw new Error(
        `${target.url}/${path} is damaged, or of another release of this tool: ${newest.message}`,
      )
    return { newest, next, torn }
  }
  return { newest: null, next, torn }
}

export const newestRecord = async (target: Target): Promise<SiteRecord | null> =>
  (await readHistoryEnd(target)).newest

export async function readAllRecords(target: Target): Promise<SiteRecord[]> {
  const numbers = await recordNumbers(target)
  const records = await Promise.all(numbers.map((number) => readRecord(target, number)))
  return records.filter((record) => record !== null)
}

/** A lost record's number is taken again, so the time tells both apart. */
const pointerSchema = compositionSchema.pick({ number: true, createdAt: true, notice: true })
export type SitePointer = z.infer<typeof pointerSchema>

/** Returns null when nothing is shown yet, or the pointer is damaged. */
export async function readSitePointer(target: Target): Promise<SitePointer | null> {
  return pointerSchema.safeParse(await readJsonFile(target, POINTER_PATH)).data ?? null
}

export function requireSiteRecord(record: SiteRecord | null): SiteRecord {
  if (record) return record
  throw createRejection(
    'site',
    'this site',
    'nothing was ever published here',
    'Check --site, or publish the shell first',
  )
}

export const currentSiteRecord = async (target: Target): Promise<SiteRecord> =>
  requireSiteRecord(await newestRecord(target))

export async function requireRecord(target: Target, number: number): Promise<SiteRecord> {
  const record = await readRecord(target, number)
  if (record) return record
  throw createRejection(
    'site',
    `composition ${number}`,
    'it does not exist, or is damaged',
    'Choose one of `deploy history`',
  )
}
