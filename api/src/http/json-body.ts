import type { FastifyInstance } from 'fastify'
import { texts } from '../texts.ts'
import { HttpProblem } from './answers.ts'

/**
 * JSON bodies: an empty one is no body (the specification has a call with an empty body), a prototype-poisoning one is
 * malformed, and so is one with a NUL character, which Postgres has no way to store.
 */
export function parseJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body)
    if (text.trim() === '') return done(null, undefined)
    if (text.includes('\\u0000')) return done(new HttpProblem(400, texts.malformed))
    return parse(request, text, done)
  })
}
