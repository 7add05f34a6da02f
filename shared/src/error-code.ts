/**
 * `code` of an error, such as EEXIST or a SQLSTATE. By shape, since
 * `instanceof Error` fails across realms.
 */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  if (typeof error.code === 'string') return error.code
  return undefined
}
