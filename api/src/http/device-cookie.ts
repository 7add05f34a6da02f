import type { FastifyReply, FastifyRequest } from 'fastify'

/** Read by the login call alone, and by no script. It identifies a device to the login guard and nobody to anything. */
const NAME = 'anniversary-device'
const YEAR_SECONDS = 365 * 24 * 3600

export function readDeviceMark(request: FastifyRequest): string | undefined {
  for (const part of request.headers.cookie?.split(';') ?? []) {
    const [name, value] = part.trim().split('=')
    if (name === NAME) return value
  }
  return undefined
}

export function writeDeviceMark(request: FastifyRequest, reply: FastifyReply, mark: string): void {
  const secure = request.protocol === 'https' ? '; Secure' : ''
  reply.header(
    'set-cookie',
    `${NAME}=${mark}; Path=/api/client/login; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Strict${secure}`,
  )
}
