/*
 * Names in a page that two packages use: `deploy` writes them, the shell and
 * the remotes read them, style sheets repeat some.
 */

// Namespaces, whose unused names bundlers leave out, as they do not with
// objects.
export * as ATTRIBUTES from './page-attributes.ts'
export * as IDS from './page-ids.ts'

/**
 * Tool and shell are published apart. When either treats the element another
 * way, its class needs a new name: shells without a rule for it keep it hidden.
 */
export const LATE_CODE_CLASS = 'late-code'

export const EVENTS = {
  /**
   * Of a modal dialog, from the place inside it where toasts go; they bubble.
   */
  dialogOpened: 'dialog-opened',
  dialogClosed: 'dialog-closed',
  /** Of the window: the shell found a network before the browser said so. */
  networkFound: 'network-found',
} as const

/**
 * Cookies of a member's session. The prefix, over https only, binds a cookie to
 * its host.
 */
export const COOKIES = {
  token: 'anniversary-token',
  username: 'anniversary-username',
  securePrefix: '__Host-',
} as const

/** Storage key of the account that logged in last. A logout removes it. */
export const LAST_ACCOUNT_KEY = 'last-account'

/**
 * Performance marks: a remote's page has rendered (its detail is the version);
 * the route has changed (the path).
 */
export const shownMark = (remote: string): string => `remote:${remote}:shown`
export const VIEW_MARK = 'view'

/**
 * A JSON block. It is never run, so the policy allows it. `<` is escaped: no
 * text can end the block.
 */
export const dataBlock = (id: string, value: unknown): string =>
  `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`
