import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LoginKeys } from '../server/pepper.ts'
import { areHashesEqual, hashWithKey } from './credentials.ts'

/*
 * Failures on a device where an account has logged in are counted separately,
 * so that somebody else who guesses cannot lock the member out (OWASP: device
 * cookies). The cookie holds `<id>.<signature>` and grants no access.
 */

export const DEVICE_ID_LENGTH = 16

export const deviceMark = (
  keys: LoginKeys,
  account: string,
  id = randomBytes((DEVICE_ID_LENGTH * 3) / 4).toString('base64url'),
): string => `${id}.${hashWithKey(keys.devices, account, id).toString('base64url')}`

/** Undefined unless the mark was signed here for this account. */
export function knownDevice(keys: LoginKeys, account: string, mark = ''): string | undefined {
  const [id = '', signature = ''] = mark.split('.')
  const expected = hashWithKey(keys.devices, account, id)
  if (id && areHashesEqual(Buffer.from(signature, 'base64url'), expected)) return id
}

/** Sent to the login call only. It identifies a device, not a member. */
const COOKIE = 'anniversary-device'
const YEAR_SECONDS = 365 * 24 * 3600

export const readDeviceMark = ({ headers }: FastifyRequest): string | undefined =>
  new RegExp(`(?:^|; *)${COOKIE}=([^;]*)`).exec(headers.cookie ?? '')?.[1]

export function writeDeviceMark(request: FastifyRequest, reply: FastifyReply, mark: string): void {
  const secure = request.protocol === 'https' ? '; Secure' : ''
  reply.header(
    'set-cookie',
    `${COOKIE}=${mark}; Path=/api/client/login; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Strict${secure}`,
  )
}
