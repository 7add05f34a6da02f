import { createHash } from 'node:crypto'
import { IDS } from '@anniversary/shared/contract/page-names'

/**
 * Applies styles in the order of the files that they replace: adopted sheets
 * would come last and reverse the layers. A media rule makes a text one rule.
 * Extensions may add or rewrite other style elements. Within a second the page
 * may paint, even if the rest of its HTML does not come.
 */
export const STYLES_SCRIPT = `{
  const { sheet } = document.querySelector('#${IDS.firstStyles} + style') ?? {}
  for (const css of JSON.parse(document.getElementById('${IDS.firstStyles}')?.textContent ?? '[]'))
    sheet?.insertRule('@media all{' + css + '}', sheet.cssRules.length)
  setTimeout(() => document.querySelector('link[rel=expect]')?.remove(), 1000)
}`
/** The same on every page, so that the policy can name it. */
export const FIRST_STYLE = '/**/'

export const hashSource = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

export const STYLES_SCRIPT_SOURCE = hashSource(STYLES_SCRIPT)
export const FIRST_STYLE_SOURCE = hashSource(FIRST_STYLE)
