/** `code` of an error of Node, whichever realm it comes from (a test runs in one of its own, so no `instanceof`). */
export const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : undefined
