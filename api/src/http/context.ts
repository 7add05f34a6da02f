import type { EventClock } from '../clock.ts'
import type { ApiConfig } from '../config.ts'
import type { Database } from '../database/database.ts'

/** What routes work with. */
export interface Context {
  readonly config: ApiConfig
  readonly database: Database
  readonly clock: EventClock
  readonly pepper: string
}
