import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The inline script of each page (first-script.js), without its comments. */
export const firstScript = readFileSync(join(import.meta.dirname, 'first-script.js'), 'utf8').replace(
  /^ *(\/\/|\/?\*).*\n/gm,
  '',
)

/** How a page's policy allows it. */
export const FIRST_SCRIPT_SOURCE = `'sha256-${createHash('sha256').update(firstScript).digest('base64')}'`
