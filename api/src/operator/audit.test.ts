import { afterAll, describe, expect, test } from '@jest/globals'
import { newDatabase } from '../../test/database.ts'
import { statement } from '../database/database.ts'
import { readAudit, recordChange } from './audit.ts'

const database = await newDatabase()
afterAll(() => database.close())

describe('the audit', () => {
  const record = (subject: string, detail = {}) =>
    recordChange(database, { subject, detail }, { who: 'an', what: 'void', why: 'a double account' })

  test('says who, when, what and why, the newest first, also about the owner of a ticket', async () => {
    await record('A51C-20QB-17CB', { account: 'an01' })
    await record('binh02')
    await record('an01')
    expect(await readAudit(database, 'an01')).toEqual([
      expect.objectContaining({ subject: 'an01', detail: {} }),
      {
        at: expect.stringMatching(/\+07:00$/),
        who: 'an',
        what: 'void',
        subject: 'A51C-20QB-17CB',
        why: 'a double account',
        detail: { account: 'an01' },
      },
    ])
    expect(await readAudit(database, null)).toHaveLength(3)
  })

  test.each(["UPDATE audit SET why = 'nothing'", 'DELETE FROM audit WHERE false', 'TRUNCATE audit'])(
    'the database refuses %s',
    async (text) => {
      await record('an01')
      await expect(database.query(statement(`test-${text}`, text))).rejects.toThrow(
        'the audit is append-only',
      )
    },
  )
})
