import { once } from 'node:events'
import { createServer } from 'node:net'
import { errorCode } from '@anniversary/shared/error-code'

export class StartError extends Error {
  override readonly name = 'StartError'
}

/**
 * @param again the command with another port, for the advice
 * @throws StartError
 */
export async function takeFreePort<T>(
  host: string,
  port: number,
  again: (port: number) => string,
  listen: (host: string, port: number) => Promise<T>,
): Promise<T> {
  try {
    return await listen(host, port)
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EADDRINUSE')
      throw new StartError(
        `Port ${port} is taken. Stop what uses it, or choose another: ${again(port + 1)}`,
      )
    if (code === 'ERR_SOCKET_BAD_PORT') throw new StartError('A port is a number from 0 to 65535')
    if (code === 'EACCES')
      throw new StartError(`Port ${port} needs more rights. Choose one above 1023: ${again(3000)}`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartError(`HOST=${host} is no address of this machine`)
    throw error
  }
}

/** Fails on a taken port before anything is built. */
export async function probePort(host: string, port: number): Promise<void> {
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  server.close()
}
