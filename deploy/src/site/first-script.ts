import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashSource } from '../html.ts'

/** The inline script of each page (first-script.js), without its comments. */
export const firstScript = readFileSync(join(import.meta.dirname, 'first-script.js'), 'utf8').replace(
  /^ *(\/\/|\/?\*).*\n/gm,
  '',
)
/** Text of the page's style element, which the script fills: the same on every page, so that the policy can name it. */
export const firstStyle = '/**/'

/** Their source expressions for the pages' content security policy. */
export const FIRST_SCRIPT_SOURCE = hashSource(firstScript)
export const FIRST_STYLE_SOURCE = hashSource(firstStyle)
