import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { HttpProblem } from '../http/answers.ts'
import type { Context } from '../http/context.ts'
import { responses } from '../http/responses.ts'
import { serviceKeyGuard } from '../http/service-key.ts'
import { peerKey } from '../rules/network-address.ts'
import { texts } from '../texts.ts'

/** From this machine itself: a request that a local proxy forwards carries a forwarding header. */
function isLocal(request: FastifyRequest): boolean {
  const peer = peerKey(request.socket.remoteAddress ?? '')
  const isLoopback = peer.startsWith('127.') || request.socket.remoteAddress === '::1'
  return (
    isLoopback && request.headers['x-forwarded-for'] === undefined && request.headers.forwarded === undefined
  )
}

/** Prometheus metrics, for this machine itself and for holders of a service key. */
export function metricsRoutes({ config, metrics }: Context) {
  const hasKey = serviceKeyGuard(config.backofficeKeys)
  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()
    const schema = {
      tags: ['operation'],
      summary: 'Prometheus metrics',
      description: 'Open to the machine itself; from elsewhere with the service key.',
      security: [{}, { serviceKey: [] }],
      response: {
        ...responses(z.string(), 401),
        200: { description: 'Prometheus text format', content: { 'text/plain': { schema: z.string() } } },
      },
    }
    for (const url of ['/metrics', '/api/metrics']) {
      app.get(url, { schema: url === '/metrics' ? schema : { hide: true } }, async (request, reply) => {
        if (!isLocal(request) && !hasKey(request)) throw new HttpProblem(401, texts.serviceKey)
        return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
      })
    }
  }
}
