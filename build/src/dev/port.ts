import { once } from 'node:events'
import { createServer } from 'node:net'
import { errorCode } from '@anniversary/shared/error-code'
import { errorMessage } from '@anniversary/shared/error-message'

export class StartError extends Error {
  override readonly name = 'StartError'
}

/** Listens on a port. @param again the command that takes another, for the advice @throws StartError */
export async function takePort<T>(
  host: string,
  port: number,
  again: (port: number) => string,
  listen: (host: string, port: number) => Promise<T>,
): Promise<T> {
  try {
    return await listen(host, port)
  } catch (error) {
    if (errorCode(error) === 'EADDRINUSE')
      throw new StartError(`Port ${port} is taken. Stop what uses it, or choose another: ${again(port + 1)}`)
    throw new StartError(`Cannot listen on port ${port} of ${host}: ${errorMessage(error)}`)
  }
}

/** Listens and stops, so that a taken port is known before anything is built. */
export async function probe(host: string, port: number): Promise<void> {
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  server.close()
}
