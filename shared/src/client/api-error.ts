import type { ApiError, ApiFailure } from '../contract/host.ts'

/** Makes the error that every failed call of the client rejects with. */
export function createApiError(failure: ApiFailure, message: string, status?: number): ApiError {
  const error = new Error(message)
  return Object.assign(error, { name: 'ApiError' as const, failure, ...(status !== undefined && { status }) })
}
