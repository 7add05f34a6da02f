import { isFromOwnPage } from '@anniversary/shared/own-page'
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify'
import type { Context } from '../server/context.ts'
import { findDeskCaller } from '../server/desk-access.ts'
import { lookUpMember } from './look-up.ts'
import { deskFrame, renderDeskPage } from './page.ts'
import { DESK_POLICY } from './style.ts'
import { deskTexts as texts } from './texts.ts'

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': DESK_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

const ASK = 'Basic realm="desk", charset="UTF-8"'

const BODY_LIMIT = 4096

/**
 * One page that changes nothing. It has a port of its own, so that no page of
 * the site is of its origin.
 */
export function buildDeskServer(
  { config, database, now }: Pick<Context, 'config' | 'database' | 'now'>,
  onError: (error: unknown) => void,
): FastifyInstance {
  const desk = Fastify({ bodyLimit: BODY_LIMIT, routerOptions: { ignoreTrailingSlash: true } })
  desk.removeAllContentTypeParsers()
  desk.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  )
  desk.decorateRequest('deskName', '')
  desk.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS)
    const { method, headers } = request
    // A link from elsewhere opens the empty page.
    if (method === 'POST' && !isFromOwnPage(headers))
      return reply.code(403).send(deskFrame(texts.foreign))
    const name = findDeskCaller(config.deskAccess, headers.authorization)
    if (name === undefined)
      return reply.code(401).header('www-authenticate', ASK).send(deskFrame(texts.noToken))
    request.deskName = name
  })
  desk.setNotFoundHandler((_request, reply) => reply.code(404).send(deskFrame(texts.nothing)))
  desk.setErrorHandler<FastifyError>((error, _request, reply) => {
    const { statusCode: status = 500 } = error
    if (status >= 500) onError(error)
    return reply.code(status).send(deskFrame(texts.failed))
  })
  desk.get('/desk', async () => renderDeskPage('', undefined, now()))
  desk.post<{ Body: URLSearchParams }>('/desk', async ({ body, deskName }) => {
    const asked = (body.get('asked') ?? '').trim().slice(0, 64)
    const isShown = body.get('show') === '1'
    const facts = await lookUpMember(database, { asked, isShown, who: `desk ${deskName}` })
    return renderDeskPage(asked, facts, now())
  })
  return desk
}

declare module 'fastify' {
  interface FastifyRequest {
    deskName: string
  }
}
