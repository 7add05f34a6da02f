import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

/*
 * `npm pack`: what a remote in a repository of its own needs besides, and which stands at this repository's root because
 * every package here uses it: the build factory and TypeScript's settings.
 */
const from = join(import.meta.dirname, '../..')
const to = join(import.meta.dirname, '../build')
mkdirSync(to, { recursive: true })
for (const file of ['rspack.base.js', 'tsconfig.base.json', 'tsconfig.web.json'])
  cpSync(join(from, file), join(to, file))
