import { SIGN_HEADER } from '@anniversary/shared/contract/headers'
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { SERVICE_KEY_HEADER } from './service-key.ts'

/** OpenAPI at `/api/docs`, from the schemas that validate. Must come before the routes. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Anniversary event API',
        version: '1.0.0',
        description:
          'Every answer is an envelope {status_code, message?, data}. A business refusal is HTTP 200 with a ' +
          'status_code other than 200 and a Vietnamese message. Every answer carries x-event-time, the event clock’s ' +
          'now, and x-request-id.',
      },
      tags: [
        { name: 'member', description: 'The member’s calls' },
        { name: 'back office', description: 'The operator’s systems' },
        { name: 'operation', description: 'Health and metrics' },
      ],
      components: {
        securitySchemes: {
          sign: { type: 'apiKey', in: 'header', name: SIGN_HEADER, description: 'The login’s sign' },
          bearer: { type: 'http', scheme: 'bearer', description: 'The login’s sign; x-sign-key goes first' },
          serviceKey: {
            type: 'apiKey',
            in: 'header',
            name: SERVICE_KEY_HEADER,
            description: 'A key of BACKOFFICE_KEY; authorization: Bearer works too',
          },
        },
      },
    },
    transform: jsonSchemaTransform,
  })
  app.get('/api/docs', { schema: { hide: true } }, async () => app.swagger())
}
