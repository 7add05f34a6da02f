/** Message of whatever was thrown, for a person to read. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
