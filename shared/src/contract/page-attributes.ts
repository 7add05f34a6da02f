/* Attributes in a page. */

/** On the document's root: the path in front of a preview's routes. */
export const basePath = 'data-base'
/** On the document's root once links need no page load. For tests. */
export const routerReady = 'data-router'
/** On the document's root: the trace id of the page load. */
export const traceId = 'data-trace'
/** On the button that was pressed last before the page's code ran. */
export const pressedButton = 'data-pressed'
/**
 * On a row of boxes for one character each: a filled box moves the focus to the
 * next, also before the code runs.
 */
export const characterBoxes = 'data-boxes'
/**
 * On a control that is no link: the route that it leads to, whose files are
 * fetched ahead.
 */
export const routePath = 'data-path'
/** Of the document, from before its first paint: there is a session. */
export const knownMember = 'data-member'
