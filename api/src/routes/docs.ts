import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import { docsPage, docsStyle } from '../http/docs-page.ts'

/** The OpenAPI document, as JSON and as a page under a policy that allows no script. */
export async function docsRoutes(app: FastifyInstance): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
  })
  const hidden = { schema: { hide: true } }
  let page: string | undefined
  app.get('/', hidden, async (_request, reply) => {
    page ??= docsPage(app.swagger())
    return reply.type('text/html; charset=utf-8').send(page)
  })
  app.get('/json', hidden, async () => app.swagger())
  app.get('/style.css', hidden, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(docsStyle),
  )
}
