import type { PublicConfig } from '../contract/config.ts'
import type { ApiFailure } from '../contract/host.ts'

export interface ClientOptions {
  readonly config: Pick<PublicConfig, 'apiBase' | 'site'>
  token(): string | undefined
  /** Shows the toast of the specification's section 8. Called once for each failed call, before it rejects. */
  onFailure(failure: ApiFailure, message: string, status?: number): void
  onEventTime(now: Date): void
}

export function noteEventTime(options: ClientOptions, header: unknown): void {
  const now = new Date(String(header ?? ''))
  if (!Number.isNaN(now.getTime())) options.onEventTime(now)
}
