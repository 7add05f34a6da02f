import type { FastifyReply, FastifyRequest } from 'fastify'

/** Sent to the login call alone and hidden from scripts. It tells the login guard a known device, not who uses it. */
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
