import type { Session } from '@anniversary/shared/contract/host'

/** Both cookies of a session. `__Host-` binds them to this host over https; plain http (local work) has no such prefix. */
const secure = () => location.protocol === 'https:'
const keyOf = (name: 'token' | 'username') => `${secure() ? '__Host-' : ''}anniversary-${name}`

function read(key: string): string | undefined {
  const found = document.cookie.split('; ').find((pair) => pair.startsWith(`${key}=`))
  return found && decodeURIComponent(found.slice(key.length + 1))
}

function write(key: string, value: string, attributes = '') {
  const all = `Path=/; SameSite=Strict${secure() ? '; Secure' : ''}${attributes}`
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in all of our browsers
    document.cookie = `${key}=${encodeURIComponent(value)}; ${all}`
  } catch {}
}

/** The saved session, or null; null also where cookies are blocked. */
export function readSession(): Session | null {
  try {
    const token = read(keyOf('token'))
    return token ? { token, username: read(keyOf('username')) ?? '' } : null
  } catch {
    return null
  }
}

/** Saves the session for as long as the browser runs. @throws a `StorageBlockedError` where it keeps no cookies */
export function writeSession({ token, username }: Session): void {
  write(keyOf('token'), token)
  write(keyOf('username'), username)
  if (readSession()?.token !== token)
    throw new DOMException('The browser does not keep cookies', 'StorageBlockedError')
}

export function removeSession(): void {
  for (const name of ['token', 'username'] as const) write(keyOf(name), '', '; Max-Age=0')
}
