import { EVENT_TIME_HEADER } from '@anniversary/shared/contract/wire'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { Context } from './http/context.ts'
import { translateErrors } from './http/errors.ts'
import { clientRoutes } from './routes/client.ts'
import { healthRoutes } from './routes/health.ts'

/** Bytes of a request's body: 5,000 activity events fit, with room. */
const BODY_LIMIT = 2 * 1024 * 1024

export interface AppOptions extends Context {
  readonly logger?: FastifyServerOptions['logger']
}

/** The server without a port: plugins by hand, in order. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const app = Fastify({
    logger: options.logger ?? false,
    bodyLimit: BODY_LIMIT,
    trustProxy: (_address, hop) => hop < options.config.trustProxy,
    routerOptions: { maxParamLength: 128 },
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  translateErrors(app)
  app.addHook('onRequest', async (_request, reply) => {
    reply.header(EVENT_TIME_HEADER, options.clock.now().toISOString())
    reply.header('cache-control', 'no-store')
  })
  await app.register(healthRoutes(options))
  await app.register(clientRoutes(options), { prefix: '/api/client' })
  return app
}
