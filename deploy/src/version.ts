import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Set by deploy-server/build.ts. */
declare const BUILD: { readonly version: string; readonly commit: string } | undefined

const readVersion = (): string =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')).version

/** A checkout's files may differ from its commit. */
export const buildInfo =
  typeof BUILD === 'undefined' ? { version: readVersion(), commit: 'unknown' } : BUILD
