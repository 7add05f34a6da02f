import { clientTexts } from './client/texts.ts'
import { type ApiError, isApiError } from './contract/host.ts'

export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

const HTTP_FORBIDDEN = 403

/** True for a call that was refused to this member, who may be banned. */
export const isForbidden = (error: unknown): error is ApiError =>
  isApiError(error) && error.status === HTTP_FORBIDDEN

/** Text that stays on the page after a failed call; the toast's. */
export function failureText(error: unknown): string {
  if (isApiError(error) && error.message) return error.message
  return clientTexts.unreachable
}
