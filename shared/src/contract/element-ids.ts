/*
 * Ids and attributes in a page's HTML that two packages use: `deploy` writes them, the shell and the remotes read them. Style
 * sheets name some of them as text.
 */

/** Ids of the JSON blocks that `deploy` writes into every page, for the shell and for the page's inline script. */
export const COMPOSITION_ELEMENT_ID = 'composition'
export const CONFIG_ELEMENT_ID = 'config'
export const STYLES_ELEMENT_ID = 'styles'
/** The element that the app renders into. */
export const ROOT_ELEMENT_ID = 'root'
/** A template with copies of the host's script elements, for another try of one that did not load. */
export const SCRIPTS_ELEMENT_ID = 'scripts'
/** The message that shows while the host's scripts do not load. */
export const FAILED_ELEMENT_ID = 'failed'
/** The banner of a preview. */
export const PREVIEW_ELEMENT_ID = 'preview'
/** The layout's content, for the link that skips to it. */
export const MAIN_ELEMENT_ID = 'main'
/** Class of the message that shows when the page's code does not run in time. */
export const NO_CODE_CLASS = 'no-code'

/** On the document's root: the path in front of the page's route. Only a preview has one (`deploy preview`). */
export const BASE_ATTRIBUTE = 'data-base'
/** On the document's root once the router is there: from now on a link needs no page load. For tests. */
export const ROUTER_ATTRIBUTE = 'data-router'
/** On the button that was pressed last before the page's code ran. */
export const PRESSED_ATTRIBUTE = 'data-pressed'
/** On a row of boxes for one character each: before the page's code runs, a filled box moves the focus to the next. */
export const BOXES_ATTRIBUTE = 'data-boxes'
/** On a control that leads to a route but is no link: the route, whose files are then fetched ahead. */
export const PATH_ATTRIBUTE = 'data-path'

/** A JSON block. It is never run, so the policy allows it. `<` is escaped: no text can end the block. */
export const dataBlock = (id: string, value: unknown): string =>
  `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`
