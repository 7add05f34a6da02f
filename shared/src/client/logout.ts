import { SIGN_HEADER } from '../contract/headers.ts'

/**
 * Ends a session on the server. Nobody waits for it: it goes on while the page leaves, and where it is lost, or the API
 * host has no such call (the specification names none), the session ends with its time.
 */
export function logout(apiBase: string, token: string): void {
  const request = { method: 'POST', headers: { [SIGN_HEADER]: token }, keepalive: true }
  fetch(`${apiBase}/client/logout`, request).catch(() => undefined)
}
