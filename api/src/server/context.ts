import type { Database } from '../database/database.ts'
import type { EventClock } from './clock.ts'
import type { ApiConfig } from './config.ts'
import type { Metrics } from './metrics.ts'
import type { LoginKeys } from './pepper.ts'

/** What the server is built from. */
export interface Services {
  readonly config: ApiConfig
  readonly database: Database
  readonly clock: EventClock
  readonly loginKeys: LoginKeys
}

/** What routes work with. */
export interface Context extends Services {
  readonly metrics: Metrics
}
