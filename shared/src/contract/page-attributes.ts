/* Attributes in a page. */

/** On the document's root: the path in front of a preview's routes. */
export const base = 'data-base'
/** On the document's root once links need no page load. For tests. */
export const router = 'data-router'
/** On the document's root: the trace id of the page load. */
export const trace = 'data-trace'
/** On the button that was pressed last before the page's code ran. */
export const pressed = 'data-pressed'
/** On a row of boxes for one character each: a filled box moves the focus to the next, also before the code runs. */
export const boxes = 'data-boxes'
/** On a control that is no link: the route that it leads to, whose files are fetched ahead. */
export const path = 'data-path'
/** Of the document, from before its first paint: there is a session. */
export const member = 'data-member'
