import { hash } from 'node:crypto'
import { z } from 'zod'

const NAME = '[\\w.-]{1,64}'

export const isDeskName = (name: string): boolean => new RegExp(`^${NAME}$`).test(name)

/**
 * Who may use the desk: `name:SHA-256 of the token`, separated by commas or
 * lines.
 */
export const deskAccess = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter(Boolean))
  .pipe(
    z.array(
      z
        .string()
        .regex(
          new RegExp(`^${NAME}:[0-9a-f]{64}$`),
          'must be name:hash, as "event desk-token NAME" prints it',
        ),
    ),
  )

export const hashDeskToken = (token: string): string => hash('sha256', token)

export function findDeskCaller(access: readonly string[], header = ''): string | undefined {
  const basic = /^Basic (\S+)$/.exec(header)?.[1] ?? ''
  const token = Buffer.from(basic, 'base64').toString().replace(/^.*?:/, '')
  const digest = hashDeskToken(token)
  return access.find((line) => line.endsWith(`:${digest}`))?.split(':')[0]
}
