import { STYLES_ELEMENT_ID } from '@anniversary/shared/contract/element-ids'
import { hashSource } from '../html.ts'

/**
 * Applies the styles that a page carries as data, in the order of the files that they replace: an adopted style sheet
 * would come after all files, and turn the order of the layers round. In a media rule a file's text is one rule. Then it
 * lets the page paint within a second, also where the rest of its HTML does not come.
 */
export const stylesScript = `{
  const { sheet } = document.querySelector('style') ?? {}
  for (const css of JSON.parse(document.getElementById('${STYLES_ELEMENT_ID}')?.textContent ?? '[]'))
    sheet?.insertRule('@media all{' + css + '}', sheet.cssRules.length)
  setTimeout(() => document.querySelector('link[rel=expect]')?.remove(), 1000)
}`
/** Text of the page's style element, which the script fills: the same on every page, so that the policy can name it. */
export const firstStyle = '/**/'

/** Their source expressions for the pages' content security policy. */
export const STYLES_SCRIPT_SOURCE = hashSource(stylesScript)
export const FIRST_STYLE_SOURCE = hashSource(firstStyle)
