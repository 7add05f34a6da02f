import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Context } from '../http/context.ts'
import { responses } from '../http/responses.ts'
import { operatorGuard } from '../http/service-key.ts'

/** Prometheus metrics, for this machine itself and for holders of a service key. */
export async function metricsRoutes(instance: FastifyInstance, { config, metrics }: Context): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>()
  app.get(
    '/metrics',
    {
      preHandler: operatorGuard(config.backofficeKeys),
      schema: {
        tags: ['operation'],
        summary: 'Prometheus metrics',
        description: 'Open to the machine itself; from elsewhere with the service key.',
        security: [{}, { serviceKey: [] }],
        response: {
          ...responses(z.string(), 401),
          200: { description: 'Prometheus text format', content: { 'text/plain': { schema: z.string() } } },
        },
      },
    },
    async (_request, reply) =>
      reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  )
}
