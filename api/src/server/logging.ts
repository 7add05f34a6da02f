import type { LoggerOptions } from 'pino'

/**
 * JSON lines with request ids, without personal data: headers, bodies and queries are not logged, and of an error only
 * code, constraint, message and stack. Postgres repeats whole rows in `detail` and parameters in `where`.
 */
export const loggerOptions = (level: string): LoggerOptions => ({
  level,
  serializers: {
    err(error: Error & { code?: unknown; constraint?: unknown }) {
      return {
        type: error.name,
        code: error.code,
        constraint: error.constraint,
        message: error.message,
        stack: error.stack,
      }
    },
  },
})
