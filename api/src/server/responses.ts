import { problem } from '@anniversary/shared/contract/wire'
import type { z } from 'zod'

const PROBLEMS = {
  400: problem.describe('Malformed input'),
  401: problem.describe('The token or key is missing, wrong or dead'),
  403: problem.describe('The member is banned'),
  404: problem.describe('No such call'),
  413: problem.describe('The body is too large'),
  415: problem.describe('The body is not JSON'),
  429: problem.describe('Too many calls; retry-after says how many seconds to wait'),
  500: problem.describe('A fault of the server'),
  503: problem.describe(
    'Overrun, stopping, or the database is away; retry-after says how many seconds to wait',
  ),
} as const

/** The declared answers of a route: its success, the given problems, and those that any route may have. */
export const responses = <S extends z.ZodType>(success: S, ...statuses: (keyof typeof PROBLEMS)[]) => ({
  200: success,
  ...Object.fromEntries(([...statuses, 500, 503] as const).map((status) => [status, PROBLEMS[status]])),
})

/** Statuses of any call with a JSON body. */
export const BODY_PROBLEMS = [400, 413, 415] as const
