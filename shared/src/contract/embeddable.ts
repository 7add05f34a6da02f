const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\]|.+\.localhost)$/

/**
 * Accepts https, and http on this machine or the page's own origin; no
 * passwords.
 */
export const isEmbeddable = (
  { protocol, hostname, username, password }: URL,
  isOurs: boolean,
): boolean =>
  !username &&
  !password &&
  (protocol === 'https:' || (protocol === 'http:' && (isOurs || LOOPBACK.test(hostname))))
