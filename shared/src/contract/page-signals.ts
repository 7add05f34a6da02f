/* What a page's parts tell each other, and those who measure it, by name. */

/** Performance mark of a remote's page that has rendered; its detail is the release's version. */
export const shownMark = (remote: string): string => `remote:${remote}:shown`
/** Performance mark of a change of the route; its detail is the path. */
export const VIEW_MARK = 'view'

/** Event of the window: the shell found a network before the browser said so. */
export const NETWORK_FOUND = 'network-found'

/** Events of a modal dialog, from the place inside it where toasts go; they bubble. */
export const DIALOG_OPENED = 'dialog-opened'
export const DIALOG_CLOSED = 'dialog-closed'

/** Cookies of a member's session over plain http. */
export const TOKEN_COOKIE = 'anniversary-token'
export const USERNAME_COOKIE = 'anniversary-username'
/** Begins their names over https: it binds a cookie to its host. */
export const SECURE_COOKIE_PREFIX = '__Host-'
