/**
 * Where a site lives: a folder or a bucket. Paths have forward slashes and no leading one.
 * Everything `deploy` does is written against these few operations, so that a folder and a bucket behave alike.
 */
export interface Target {
  /** For messages: `file:/srv/site`, `s3://bucket/prefix`. */
  readonly url: string
  read(path: string): Promise<Stored | null>
  /** Creates or replaces; a reader sees the old or the new bytes, never a part. */
  write(path: string, bytes: Buffer): Promise<void>
  /** Creates; false, and nothing changes, when the path exists. Of many at once exactly one gets true. */
  create(path: string, bytes: Buffer): Promise<boolean>
  /** Replaces what was read with this `etag`; false, and nothing changes, when it is another one by now. */
  replace(path: string, bytes: Buffer, etag: string): Promise<boolean>
  /** All paths under a folder (`''`: the whole site), sorted. */
  list(folder: string): Promise<string[]>
  /** Removing what is not there is fine. */
  remove(path: string): Promise<void>
  /** Removes a folder and all in it, `build.json` before the rest, so that a part of a version never looks whole. */
  removeFolder(folder: string): Promise<void>
}

export interface Stored {
  readonly bytes: Buffer
  readonly etag: string
}

/** Reads and parses JSON; null when the path does not exist. Throws on broken JSON, naming the path. */
export async function readJson(target: Target, path: string): Promise<unknown> {
  const stored = await target.read(path)
  if (!stored) return null
  try {
    return JSON.parse(stored.bytes.toString('utf8'))
  } catch {
    throw new Error(`${target.url}/${path} is not JSON`)
  }
}

export const jsonBytes = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
