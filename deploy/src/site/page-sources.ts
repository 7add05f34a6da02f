import { isUtf8 } from 'node:buffer'
import { z } from 'zod'
import { jsonBytes, readJsonFile, type Target } from '../target/target.ts'
import type { PublishedBuilds } from './version-folders.ts'

/**
 * The files of versions that the newest pages were made of, in one, because a
 * bucket answers each call slowly, or refuses it. Their hashes are compared as
 * if each had been read.
 */
const PATH = '.deploy/page-sources.json'
const sourcesSchema = z.record(z.string(), z.string())

export async function readPageSources(target: Target): Promise<ReadonlyMap<string, Buffer>> {
  if (!target.isBucket) return new Map()
  const { data = {} } = sourcesSchema.safeParse(await readJsonFile(target, PATH))
  return new Map(Object.entries(data).map(([path, text]) => [path, Buffer.from(text)]))
}

export async function keepPageSources(
  target: Target,
  { used, kept }: PublishedBuilds,
): Promise<void> {
  // Other bytes would come back as other ones.
  const texts = [...used].filter(([, bytes]) => isUtf8(bytes))
  if (!target.isBucket || texts.every(([path]) => kept.has(path))) return
  const sources = texts.map(([path, bytes]) => [path, bytes.toString()])
  await target.write(PATH, jsonBytes(Object.fromEntries(sources)))
}
