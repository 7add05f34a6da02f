import { createHash } from 'node:crypto'
import type { z } from 'zod'

/** Where a site is stored: a folder or a bucket. Paths have forward slashes and no leading one. */
export interface Target {
  /** For messages: `file:/srv/site`, `s3://bucket/prefix`. */
  readonly url: string
  read(path: string): Promise<Buffer | null>
  /** Creates or replaces; readers see the old or the new bytes, never a part. */
  write(path: string, bytes: Buffer): Promise<void>
  /** Creates; false when the path exists. Of many calls at once exactly one gets true. */
  create(path: string, bytes: Buffer): Promise<boolean>
  /** All paths under a folder (`''`: the whole site), sorted. */
  list(folder: string): Promise<string[]>
  remove(path: string): Promise<void>
  /** Milliseconds since a file was last written; null: there is no such file. */
  age(path: string): Promise<number | null>
}

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

export async function readJson(target: Target, path: string): Promise<unknown> {
  const bytes = await target.read(path)
  try {
    return bytes && JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new Error(`${target.url}/${path} is not JSON`)
  }
}

/** Reads the files of a folder. Leaves out those that are damaged or of another release of this tool. */
export async function readAll<T>(
  target: Target,
  folder: string,
  schema: z.ZodType<T>,
): Promise<T[]> {
  const found = (await target.list(folder)).map(async (path) =>
    schema.safeParse(await readJson(target, path).catch(() => null)),
  )
  return (await Promise.all(found)).flatMap(({ data }) => data ?? [])
}

export const jsonBytes = (value: unknown): Buffer =>
  Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
