/**
 * The `code` of a failure: a SQLSTATE of the database, or a system's name such as EEXIST. Undefined when it has none.
 * By shape: an error from another realm, as in tests, is no `instanceof Error`.
 */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
