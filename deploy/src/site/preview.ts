import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { parseJson, type Target } from '../target/target.ts'

/*
 * A preview is a folder of pages with a name that nobody can guess. No composition names it, so members' pages stay as
 * they are.
 */

const versions = z.array(z.tuple([z.string(), z.string()]))

const previewSchema = z.object({
  /** 128 random bits in hexadecimal: the key to the preview. */
  id: z.string().regex(/^[0-9a-f]{32}$/),
  createdAt: z.string(),
  until: z.iso.datetime(),
  by: z.string(),
  /** Name and version of the packages that differ from the live site. */
  shown: versions,
  /** Name and version of all packages that its pages may run: `prune` keeps them. */
  used: versions,
  link: z.string(),
})
export interface Preview extends z.infer<typeof previewSchema> {
  /** Its record cannot be read: it counts as expired. */
  readonly broken?: true
}

const RECORDS = '.deploy/previews'
export const previewRecordPath = (id: string): string => `${RECORDS}/${id}.json`

export const PREVIEW_SEGMENT = 'preview'
export const previewFolder = ({ id }: Pick<Preview, 'id'>): string => `${PREVIEW_SEGMENT}/${id}`

/** Files that a preview's pages load from its folder, by name: the script that ends it, and the style of its banner. */
export const PREVIEW_FILES = Object.fromEntries(
  ['preview.js', 'preview.css'].map((name) => [name, readFileSync(join(import.meta.dirname, name))]),
)

export async function allPreviews(target: Target): Promise<Preview[]> {
  const paths = await target.list(RECORDS)
  const previews = await Promise.all(paths.map((path) => readPreview(target, path)))
  return previews.filter((preview) => preview !== null).sort((a, b) => b.createdAt.localeCompare(a.createdAt))
}

/** Null: another deploy has removed it meanwhile. */
async function readPreview(target: Target, path: string): Promise<Preview | null> {
  const bytes = await target.read(path)
  if (!bytes) return null
  try {
    return previewSchema.parse(parseJson(target, path, bytes))
  } catch {
    const never = new Date(0).toISOString()
    const id = basename(path, '.json')
    return { id, createdAt: never, until: never, by: '', shown: [], used: [], link: '', broken: true }
  }
}

/** Removes pages and record; its versions stay until `prune`. */
export async function removePreview(target: Target, preview: Preview): Promise<void> {
  await target.removeFolder(previewFolder(preview))
  await target.remove(previewRecordPath(preview.id))
}

export async function removeExpired(
  target: Target,
  now: Date,
): Promise<{ readonly valid: readonly Preview[]; readonly expired: readonly Preview[] }> {
  const previews = await allPreviews(target)
  const isOver = ({ until }: Preview) => Date.parse(until) <= now.getTime()
  const expired = previews.filter(isOver)
  for (const preview of expired) await removePreview(target, preview)
  return { valid: previews.filter((preview) => !isOver(preview)), expired }
}
