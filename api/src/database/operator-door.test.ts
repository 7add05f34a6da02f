import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { newDatabase } from '../../test/engines.ts'
import { errorCode } from '../error-code.ts'
import { type Database, statement, violatedConstraint } from './database.ts'
import { sendFrame } from './frames.ts'
import { doorPath, type OperatorDoor, openDoor } from './operator-door.ts'
import { enterDoor } from './through-door.ts'

let folder: string
let inside: Database
let door: OperatorDoor
let outside: Database
beforeAll(async () => {
  inside = await newDatabase('pglite')
})
afterAll(() => inside.close())
beforeEach(async () => {
  await inside.query(statement('clear', 'DELETE FROM setting'))
  folder = mkdtempSync(join(tmpdir(), 'anniversary-door-'))
  door = await openDoor(folder, inside)
  const entered = await enterDoor(folder)
  if (!entered) throw new Error('the door is closed')
  outside = entered
})
afterEach(async () => {
  await outside.close()
  await door.close()
  rmSync(folder, { recursive: true, force: true })
})

const add = statement('add', 'INSERT INTO setting (key, value) VALUES ($1, $2)')
const count = statement('count', 'SELECT count(*)::int AS n FROM setting')

test('statements, transactions, bytes, times and errors go through as they are', async () => {
  await outside.query(add, ['a', 'x'.repeat(3_000_000)])
  const error: unknown = await outside.query(add, ['a', 'y']).catch((e: unknown) => e)
  expect([errorCode(error), violatedConstraint(error)]).toEqual(['23505', 'setting_pkey'])
  await outside.transaction((tx) => tx.query(add, ['b', '']))
  await expect(
    outside.transaction(async (tx) => {
      await tx.query(add, ['c', ''])
      throw new Error('on purpose')
    }),
  ).rejects.toThrow('on purpose')
  expect(await outside.query(count)).toEqual([{ n: 2 }])
  const at = new Date('2025-08-20T13:00:00Z')
  const all = statement('all', 'SELECT $1::bytea AS bytes, $2::timestamptz AS at')
  const [row] = await outside.query<{ bytes: Uint8Array; at: Date }>(all, [Buffer.from([0, 255]), at])
  expect([...(row?.bytes ?? [])]).toEqual([0, 255])
  expect(row?.at.toISOString()).toBe(at.toISOString())
})

test('a command that dies in a transaction leaves nothing and holds up nobody', async () => {
  const dying = connect(doorPath(folder))
  sendFrame(dying, { id: 1, op: 'begin' })
  sendFrame(dying, { id: 2, op: 'query', statement: add, values: ['dead', ''] })
  await new Promise((done) => dying.once('data', done))
  await sleep(50)
  dying.destroy()
  expect(await outside.query(count)).toEqual([{ n: 0 }])
})

test('is for the owner alone, and shut when the server is gone', async () => {
  expect(statSync(doorPath(folder)).mode & 0o777).toBe(0o600)
  await door.close()
  await expect(outside.query(count)).rejects.toThrow('the server has ended or closed its door')
  expect(await enterDoor(folder)).toBeUndefined()
})
