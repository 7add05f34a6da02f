import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * A proxy ends idle connections itself, and probes find one that is gone. A
 * time-out would be set and cleared with each call.
 */
export const IDLE_OF_PROXY = {
  keepAliveTimeout: 0,
  keepAlive: true,
  keepAliveInitialDelay: 60_000,
}

interface Connection {
  readonly unanswered: Set<ServerResponse>
  /** Seconds at which it may come back, once it was refused. */
  turnAt: number
}

/**
 * The response's turn on its closed connection never came. Node closes only the
 * one that it was writing.
 */
function closePipelined(response: ServerResponse): void {
  if (response.socket) return
  response.destroyed = true
  response.emit('close')
}

/** @param most unanswered calls of a connection */
export function createConnections(most: number) {
  const connections = new WeakMap<Socket, Connection>()

  function connectionOf({ socket }: IncomingMessage): Connection {
    const known = connections.get(socket)
    if (known) return known
    const connection: Connection = { unanswered: new Set(), turnAt: 0 }
    connections.set(socket, connection)
    socket.once('close', () => connection.unanswered.forEach(closePipelined))
    return connection
  }

  const hasMost = (request: IncomingMessage) => connectionOf(request).unanswered.size === most

  /** For responses that are not finished at once, since a listener takes time. */
  function countUnanswered(request: IncomingMessage, response: ServerResponse): void {
    const { unanswered } = connectionOf(request)
    unanswered.add(response)
    response.once('finish', () => unanswered.delete(response))
  }

  return { connectionOf, hasMost, countUnanswered }
}
