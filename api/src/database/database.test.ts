import { afterAll, describe, expect, test } from '@jest/globals'
import { newDatabase } from '../../test/database.ts'
import { statement } from './database.ts'

const database = await newDatabase()
afterAll(() => database.close())

describe('the database', () => {
  const add = statement('test-add', 'INSERT INTO setting (key, value) VALUES ($1, $2)')
  const count = statement('test-count', 'SELECT count(*)::int AS n FROM setting WHERE value = $1')
  const countOf = async (value: string) => (await database.query<{ n: number }>(count, [value]))[0]?.n

  test('a transaction that fails leaves nothing, one that succeeds everything', async () => {
    const failing = database.transaction(async (tx) => {
      await tx.query(add, ['a', 'failed'])
      throw new Error('on purpose')
    })
    await expect(failing).rejects.toThrow('on purpose')
    const broken = database.transaction(async (tx) => {
      await tx.query(add, ['b', 'failed'])
      await tx.query(add, ['b', 'failed'])
    })
    await expect(broken).rejects.toThrow()
    expect(await countOf('failed')).toBe(0)
    await database.transaction(async (tx) => {
      await tx.query(add, ['c', 'done'])
      await tx.query(add, ['d', 'done'])
    })
    expect(await countOf('done')).toBe(2)
  })
})
