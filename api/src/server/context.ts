import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Database } from '../database/database.ts'
import type { ApiConfig } from './config.ts'
import type { MemberTurns } from './member-turns.ts'
import type { Metrics } from './metrics.ts'
import type { LoginKeys } from './pepper.ts'

export interface Context {
  readonly config: ApiConfig
  readonly database: Database
  /**
   * Sessions and limits use real time, since the demo's clock starts again with
   * the server.
   */
  readonly now: () => Date
  readonly spread: () => number
  readonly loginKeys: LoginKeys
  readonly metrics: Metrics
  readonly inTurn: MemberTurns
}

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>
