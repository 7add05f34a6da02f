import { connect, type Socket } from 'node:net'
import type { Database, Queryable, Statement } from './database.ts'
import { receiveFrames, sendFrame } from './frames.ts'
import { type DoorAnswer, doorPath } from './operator-door.ts'
import { turnstile } from './turnstile.ts'

function knock(path: string): Promise<Socket | undefined> {
  return new Promise((done) => {
    const socket = connect(path)
    socket.once('connect', () => done(socket))
    // No door, or one that a dead server left.
    socket.once('error', () => done(undefined))
  })
}

/** The embedded database of a server that runs now; undefined when none does. */
export async function enterDoor(folder: string): Promise<Database | undefined> {
  const socket = await knock(doorPath(folder))
  if (!socket) return undefined
  const waiting = new Map<number, { done: (rows: unknown[]) => void; failed: (error: Error) => void }>()
  let serial = 0
  socket.on('error', () => undefined)
  socket.on('close', () => {
    for (const { failed } of waiting.values()) failed(new Error('the server has ended or closed its door'))
    waiting.clear()
  })
  receiveFrames(socket, (value) => {
    const answer = value as DoorAnswer // the other end is our own server
    const caller = waiting.get(answer.id)
    waiting.delete(answer.id)
    if ('error' in answer) caller?.failed(Object.assign(new Error(answer.error.message), answer.error))
    else caller?.done(answer.rows)
  })

  const ask = (request: object): Promise<unknown[]> =>
    new Promise((done, failed) => {
      if (socket.destroyed) return failed(new Error('the server has ended or closed its door'))
      const id = ++serial
      waiting.set(id, { done, failed })
      sendFrame(socket, { ...request, id })
    })
  const tx: Queryable = {
    query: async <Row>(statement: Statement, values: readonly unknown[] = []) =>
      (await ask({ op: 'query', statement, values })) as Row[], // the statement's author names its row type
  }
  const turns = turnstile(1000, () => new Error('too many statements wait for the door'))

  return {
    engine: 'pglite',
    query: (statement, values) => turns.enter(() => tx.query(statement, values)),
    transaction: (work) =>
      turns.enter(async () => {
        await ask({ op: 'begin' })
        try {
          const result = await work(tx)
          await ask({ op: 'commit' })
          return result
        } catch (error) {
          if (!socket.destroyed) await ask({ op: 'rollback' })
          throw error
        }
      }),
    stats: () => ({ connections: 1, idle: turns.length() === 0 ? 1 : 0, waiting: turns.length() }),
    async close() {
      if (socket.destroyed) return
      await new Promise((done) => {
        socket.once('close', done)
        socket.end()
      })
    },
  }
}
