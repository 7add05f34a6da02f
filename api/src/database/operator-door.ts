import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { errorCode } from '../error-code.ts'
import { type Database, type Queryable, type Statement, violatedConstraint } from './database.ts'
import { receiveFrames, sendFrame } from './frames.ts'

/*
 * The embedded database belongs to one process. While that is the server, the operator's commands reach the database
 * through this door: a Unix socket in the data folder, which only the folder's owner can open.
 */

export type DoorRequest =
  | {
      readonly id: number
      readonly op: 'query'
      readonly statement: Statement
      readonly values: readonly unknown[]
    }
  | { readonly id: number; readonly op: 'begin' | 'commit' | 'rollback' }

export type DoorAnswer =
  | { readonly id: number; readonly rows: unknown[] }
  | {
      readonly id: number
      readonly error: {
        readonly message: string
        readonly code?: string | undefined
        readonly constraint?: string | undefined
      }
    }

/** A transaction holds up every member; one whose operator went quiet is rolled back. */
const QUIET_MS = 30_000

export const doorPath = (folder: string): string =>
  process.platform === 'win32'
    ? `\\\\.\\pipe\\anniversary-${Buffer.from(folder).toString('hex')}`
    : join(folder, 'operator.sock')

class RolledBack extends Error {}

interface OpenTransaction {
  readonly tx: Queryable
  end(how: 'commit' | 'rollback'): Promise<void>
}

/** Begins a transaction that lasts until `end`. */
function begin(database: Database): Promise<OpenTransaction> {
  return new Promise((opened, failed) => {
    let finish: (how: 'commit' | 'rollback') => void = () => undefined
    const finished = new Promise<'commit' | 'rollback'>((resolve) => {
      finish = resolve
    })
    const done = database.transaction(async (tx) => {
      opened({
        tx,
        end(how) {
          finish(how)
          return done.catch((error: unknown) => {
            if (!(error instanceof RolledBack)) throw error
          })
        },
      })
      if ((await finished) === 'rollback') throw new RolledBack()
    })
    done.catch(failed)
  })
}

function attend(socket: Socket, database: Database): void {
  let open: OpenTransaction | undefined
  let quiet: NodeJS.Timeout | undefined
  const end = async (how: 'commit' | 'rollback') => {
    clearTimeout(quiet)
    const ending = open
    open = undefined
    await ending?.end(how)
  }
  const serve = async (request: DoorRequest): Promise<unknown[]> => {
    clearTimeout(quiet)
    switch (request.op) {
      case 'query':
        return (open?.tx ?? database).query(request.statement, request.values)
      case 'begin':
        open = await begin(database)
        return []
      default:
        await end(request.op)
        return []
    }
  }
  let last: Promise<void> = Promise.resolve()
  receiveFrames(socket, (value) => {
    const request = value as DoorRequest // the other end is our own command, of this folder's owner
    last = last.then(async () => {
      let answer: DoorAnswer
      try {
        answer = { id: request.id, rows: await serve(request) }
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        answer = {
          id: request.id,
          error: { message, code: errorCode(error), constraint: violatedConstraint(error) },
        }
      }
      if (open) quiet = setTimeout(() => socket.destroy(), QUIET_MS)
      if (!socket.destroyed) sendFrame(socket, answer)
    })
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    last = last.then(() => end('rollback')).catch(() => undefined)
  })
}

export interface OperatorDoor {
  close(): Promise<void>
}

/** Opens the door of a data folder. */
export async function openDoor(folder: string, database: Database): Promise<OperatorDoor> {
  const path = doorPath(folder)
  rmSync(path, { force: true })
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    attend(socket, database)
  })
  const mask = process.umask(0o177)
  try {
    await new Promise<void>((done, failed) => {
      server.once('error', failed)
      server.listen(path, done)
    })
  } finally {
    process.umask(mask)
  }
  if (process.platform !== 'win32') chmodSync(path, 0o600)
  server.unref()
  return {
    async close() {
      const closed = new Promise((done) => server.close(done))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
