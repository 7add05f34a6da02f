import { clientTexts } from './client/texts.ts'
import { isApiError } from './contract/host.ts'

export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

/** What stays on the page of a failed call: the words of the interceptor's toast. */
export const failureText = (error: unknown): string =>
  (isApiError(error) && error.message) || clientTexts.unreachable
