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
  /** The time by the target's clock, which all its users share. A bucket's is known from its first answer on. */
  now(): Date
  /** Sets space aside for changes that must be made on a full disk too. */
  keepReserve?(): Promise<void>
  freeReserve?(): Promise<void>
}

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Returns null when there is no such file, and undefined when it is not JSON: empty or torn after a power cut. */
export async function readJson(target: Target, path: string): Promise<unknown> {
  const bytes = await target.read(path)
  try {
    return bytes && JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Reads the files of a folder. Leaves out those that are damaged or of another release of this tool. */
export async function readAll<T>(
  target: Target,
  folder: string,
  schema: z.ZodType<T>,
): Promise<T[]> {
  const found = (await target.list(folder)).map(async (path) =>
    schema.safeParse(await readJson(target, path)),
  )
  return (await Promise.all(found)).flatMap(({ data }) => data ?? [])
}

export const jsonBytes = (value: unknown): Buffer =>
  Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
