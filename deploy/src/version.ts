import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Set by deploy-server/build.ts. */
declare const BUILD: { readonly version: string; readonly commit: string } | undefined

const readVersion = (): string =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')).version

/** Only a release knows its commit, since a checkout's files may differ. */
export const buildInfo =
  typeof BUILD === 'undefined' ? { version: readVersion(), commit: 'unknown' } : BUILD
