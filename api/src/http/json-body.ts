import type { FastifyInstance } from 'fastify'
import { texts } from '../texts.ts'
import { HttpProblem } from './answers.ts'

/**
 * Parses JSON bodies. An empty body is allowed (the specification has a call with one). A body that poisons a prototype
 * or holds a NUL character, which Postgres cannot store, is malformed.
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
