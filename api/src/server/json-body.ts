import type { FastifyBodyParser, FastifyInstance } from 'fastify'
import { memberTexts } from '../texts.ts'
import { HttpProblem } from './answers.ts'

/** Group 1: NUL, or half of a surrogate pair; Postgres stores neither. */
const ESCAPES = /\\u(?:d[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|(0000|d[89a-f][\da-f]{2}))|\\./gi

function hasUnstorableText(json: string): boolean {
  if (!json.includes('\\u')) return false
  for (const [, unstorable] of json.matchAll(ESCAPES)) if (unstorable) return true
  return false
}

/**
 * An empty body is allowed (the specification has a call with one). Bytes that
 * are not UTF-8, text that Postgres cannot store and keys that pollute a
 * prototype are rejected.
 */
export function parseJsonBody(app: FastifyInstance): FastifyBodyParser<Buffer> {
  const parse = app.getDefaultJsonParser('error', 'error')
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  return (request, body, done) => {
    let text: string
    try {
      text = utf8.decode(body)
    } catch {
      return done(new HttpProblem(400, memberTexts.malformed))
    }
    if (text.trim() === '') return done(null, undefined)
    if (hasUnstorableText(text)) return done(new HttpProblem(400, memberTexts.malformed))
    return parse(request, text, done)
  }
}

export function parseJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, parseJsonBody(app))
}
