import type { LoggerOptions } from 'pino'

/**
 * JSON lines with request ids. Nothing personal may come into them: no header, no body, no query is ever logged, and of
 * an error only what our own code or the driver said in short. Postgres repeats whole rows in `detail` and
 * parameters in `where`, and a row may hold an address.
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
  // A second line of defence, should somebody log a request after all.
  redact: {
    paths: [
      'headers',
      'req.headers',
      'body',
      'req.body',
      '*.address',
      '*.fullname',
      '*.phone_number',
      '*.note',
      '*.lastBankNumber',
      '*.sign',
    ],
    censor: '[redacted]',
  },
})
