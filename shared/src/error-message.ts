import { clientTexts } from './client/texts.ts'
import { isApiError } from './contract/host.ts'

export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

/** Text that stays on the page after a failed call; the toast's. */
export const failureText = (error: unknown): string =>
  (isApiError(error) && error.message) || clientTexts.unreachable
