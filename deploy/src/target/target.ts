import { createHash } from 'node:crypto'
import type { z } from 'zod'

export interface Target {
  /** `file:/srv/site`, `s3://bucket/prefix` */
  readonly url: string
  /** Each call takes time and may be refused; a CDN in front compresses. */
  readonly isBucket?: boolean
  read(path: string): Promise<Buffer | null>
  /** Readers see the old or the new bytes, never a part. */
  write(path: string, bytes: Buffer): Promise<void>
  /**
   * Returns false when the path exists. Of many calls at once exactly one gets
   * true.
   */
  create(path: string, bytes: Buffer): Promise<boolean>
  /** Sorted paths; of the whole site for `''`. */
  list(folder: string): Promise<string[]>
  remove(path: string): Promise<void>
  /** Milliseconds since the last write; null when there is no such file. */
  age(path: string): Promise<number | null>
  /**
   * All users share this clock; a bucket's is known from its first answer on.
   */
  now(): Date
  /** Changes that take back must succeed on a full disk. */
  keepReserve?(): Promise<void>
  freeReserve?(): Promise<void>
}

export type Files = Pick<Target, 'url' | 'read'>

/** Waits for all of them, since a late write would undo a later change. */
export async function settleWrites(writes: readonly Promise<void>[]): Promise<void> {
  for (const write of await Promise.allSettled(writes))
    if (write.status === 'rejected') throw write.reason
}

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/**
 * Returns null when there is no such file, and undefined for what is no JSON,
 * such as a torn file.
 */
export async function readJsonFile(target: Files, path: string): Promise<unknown> {
  const bytes = await target.read(path)
  try {
    return bytes && JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Leaves out files that are damaged or of another release of this tool. */
export async function readAllFiles<T>(
  target: Target,
  folder: string,
  schema: z.ZodType<T>,
): Promise<T[]> {
  const found = (await target.list(folder)).map(async (path) =>
    schema.safeParse(await readJsonFile(target, path)),
  )
  return (await Promise.all(found)).flatMap(({ data }) => data ?? [])
}

export const jsonBytes = (value: unknown): Buffer =>
  Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
