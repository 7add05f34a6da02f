import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { typeOf } from '@anniversary/deploy/target/content-type'
import type { Answer } from './faulty-proxy.ts'

/** A build's files by their path inside it, with the headers of published files. */
export function builtFiles(folder: string): Map<string, Answer> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  return new Map(
    files.map((file) => {
      const path = join(file.parentPath, file.name)
      const headers = {
        'content-type': typeOf(path),
        'cache-control': 'public, max-age=31536000, immutable',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
      }
      return [path.slice(folder.length + 1), { status: 200, headers, body: readFileSync(path) }]
    }),
  )
}
