import { hash } from 'node:crypto'
import { z } from 'zod'

/** Who may use the desk: `name:SHA-256 of the token`, separated by commas or lines. `event desk-token NAME` makes both. */
export const deskAccess = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter(Boolean))
  .pipe(
    z.array(
      z
        .string()
        .regex(
          /^[\w.-]{1,64}:[0-9a-f]{64}$/,
          'must be name:hash, as "event desk-token NAME" prints it',
        )
        .transform((line) => {
          const [name = '', digest = ''] = line.split(':')
          return { name, digest }
        }),
    ),
  )

export type DeskAccess = Readonly<z.infer<typeof deskAccess>>

export const hashDeskToken = (token: string): string => hash('sha256', token)

/** Returns the name of the token in an `authorization` header; undefined for none or a wrong one. */
export function deskCaller(access: DeskAccess, header: string | undefined): string | undefined {
  const [, basic = ''] = /^Basic (\S+)$/.exec(header ?? '') ?? []
  const token = Buffer.from(basic, 'base64').toString().replace(/^.*?:/, '')
  const digest = hashDeskToken(token)
  return access.find((one) => one.digest === digest)?.name
}
