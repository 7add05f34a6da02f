import type { ApiError, ApiFailure } from '../contract/host.ts'
import type { ClientOptions } from './client-options.ts'

export function createApiError(failure: ApiFailure, message: string, status?: number): ApiError {
  const error = new Error(message)
  return Object.assign(error, {
    name: 'ApiError' as const,
    failure,
    ...(status !== undefined && { status }),
  })
}

export function failCall(
  options: ClientOptions,
  failure: ApiFailure,
  message: string,
  status?: number,
): ApiError {
  options.onFailure(failure, message, status)
  return createApiError(failure, message, status)
}
