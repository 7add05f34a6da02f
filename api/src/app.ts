import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { addressRoutes } from './address/address.ts'
import { backofficeRoutes } from './backoffice/routes.ts'
import { registerCheckRoutes } from './check/check.ts'
import { registerClaimRoutes } from './claim/routes.ts'
import { registerDrawRoutes } from './draws/routes.ts'
import { historyRoutes } from './history/history.ts'
import { registerLoginRoutes } from './login/routes.ts'
import { missionRoutes } from './missions/mission-list.ts'
import { reportRoutes } from './reports/routes.ts'
import type { App, Context } from './server/context.ts'
import { watchDatabaseClock } from './server/database-clock.ts'
import { translateErrors } from './server/errors.ts'
import { healthRoutes } from './server/health.ts'
import { parseJsonBodies } from './server/json-body.ts'
import type { Limits } from './server/lane.ts'
import { createMemberTurns } from './server/member-turns.ts'
import { createMetrics } from './server/metrics.ts'
import { answerHeaders, observeCalls, requestId } from './server/observe.ts'
import { createAdmission, type Traffic } from './server/pressure.ts'
import { createSpread } from './server/spread.ts'
import { memberTexts } from './texts.ts'

const BODY_LIMIT = 64 * 1024
const REQUEST_MS = 60_000

export interface AppOptions extends Omit<Context, 'metrics' | 'spread' | 'inTurn'> {
  readonly logger?: FastifyServerOptions['logger']
  readonly traffic?: Traffic
  readonly limits?: Limits
}

/** The hooks run in this order. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { logger = false, traffic = { inFlight: 0, leaving: false, draining: false } } = options
  const metrics = createMetrics({ ...options, inFlight: () => traffic.inFlight })
  const context: Context = {
    ...options,
    metrics,
    spread: createSpread(options.database, (err) =>
      app.log.warn({ err }, 'members with a session were not counted; x-spread-seconds may be old'),
    ),
    inTurn: createMemberTurns(),
  }
  const admission = createAdmission(context, traffic, options.limits)

  const app = Fastify({
    logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    // A logger for each request costs more than most requests log.
    childLoggerFactory: (logger) => logger,
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_MS,
    serverFactory: admission.serverFactory,
    // For a path that cannot be decoded, no hook runs.
    frameworkErrors: async (_error, request, reply: FastifyReply) => {
      await admission.hold(request.raw)
      reply
        .code(400)
        .headers(answerHeaders(request.id, options.now()))
        .send({ status_code: 400, message: memberTexts.malformed, data: null })
    },
    trustProxy: (_address, hop) => hop < options.config.trustProxy,
    routerOptions: { maxParamLength: 128, ignoreTrailingSlash: true },
  }).withTypeProvider<ZodTypeProvider>()
  // Beyond its limit, Node silently drops headers, such as the caller's
  // address.
  app.server.maxHeadersCount = 0
  app.setValidatorCompiler(validatorCompiler)
  translateErrors(app, admission)
  parseJsonBodies(app)
  observeCalls(app, context, admission.waited)
  admission.connect(app)

  watchDatabaseClock(app, context)

  healthRoutes(app, context, traffic)
  await app.register(
    async (member: App) => {
      registerLoginRoutes(member, context)
      addressRoutes(member, context)
      missionRoutes(member, context)
      registerClaimRoutes(member, context, admission)
      historyRoutes(member, context)
      registerDrawRoutes(member, context, admission)
      registerCheckRoutes(member, context)
    },
    { prefix: '/api/client' },
  )
  await app.register(async (users: App) => backofficeRoutes(users, context), {
    prefix: '/api/users',
  })
  await app.register(async (reports: App) => reportRoutes(reports, context), {
    prefix: '/api/reports',
  })
  return app
}
