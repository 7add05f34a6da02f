/**
 * `code` of an error: a system's name such as EEXIST, or a SQLSTATE. Undefined when it has none. Read by shape, since
 * `instanceof Error` is false for an error of another realm, and Jest runs each test in a realm of its own.
 */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
