import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashSource } from '../html.ts'

/** The inline script of each page (first-script.js), without its comments. */
export const firstScript = readFileSync(join(import.meta.dirname, 'first-script.js'), 'utf8').replace(
  /^ *(\/\/|\/?\*).*\n/gm,
  '',
)

/** Its source expression for the pages' content security policy. */
export const FIRST_SCRIPT_SOURCE = hashSource(firstScript)
