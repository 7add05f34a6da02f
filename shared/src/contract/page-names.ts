/* Names in a page that two packages use: `deploy` writes them, the shell and the remotes read them, style sheets repeat some. */

/** Ids: the JSON blocks, the app's root, copies of the host's scripts, the message that they fail, a preview's banner. */
export const IDS = {
  composition: 'composition',
  config: 'config',
  styles: 'styles',
  root: 'root',
  scripts: 'scripts',
  failed: 'failed',
  preview: 'preview',
  main: 'main',
} as const

/** Class of the message that shows when the page's code does not run in time. */
export const NO_CODE_CLASS = 'no-code'

export const ATTRIBUTES = {
  /** On the document's root: the path in front of a preview's routes. */
  base: 'data-base',
  /** On the document's root once links need no page load. For tests. */
  router: 'data-router',
  /** On the document's root: the trace id of the page load. */
  trace: 'data-trace',
  /** On the button that was pressed last before the page's code ran. */
  pressed: 'data-pressed',
  /** On a row of boxes for one character each: a filled box moves the focus to the next, also before the code runs. */
  boxes: 'data-boxes',
  /** On a control that is no link: the route that it leads to, whose files are fetched ahead. */
  path: 'data-path',
} as const

export const EVENTS = {
  /** Of a modal dialog, from the place inside it where toasts go; they bubble. */
  dialogOpened: 'dialog-opened',
  dialogClosed: 'dialog-closed',
  /** Of the window: the shell found a network before the browser said so. */
  networkFound: 'network-found',
} as const

/** Cookies of a member's session. The prefix, over https only, binds a cookie to its host. */
export const COOKIES = {
  token: 'anniversary-token',
  username: 'anniversary-username',
  securePrefix: '__Host-',
} as const

/** Performance marks: a remote's page has rendered (its detail is the version); the route has changed (the path). */
export const shownMark = (remote: string): string => `remote:${remote}:shown`
export const VIEW_MARK = 'view'

/** A JSON block. It is never run, so the policy allows it. `<` is escaped: no text can end the block. */
export const dataBlock = (id: string, value: unknown): string =>
  `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`
