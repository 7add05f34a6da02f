import { describe, expect, test } from '@jest/globals'
import { accountKey, bankHashes, matchingHash, newToken, sessionKey } from './credentials.ts'
import { deviceMark, knownDevice } from './device.ts'
import { maskedAccount } from './mask.ts'

describe('credentials', () => {
  test('accounts compare by composed form, case and blanks', () => {
    expect(accountKey(' Nguyễn01 '.normalize('NFD'))).toBe(accountKey('nguyễn01'.normalize('NFC')))
  })

  test('a hash depends on pepper, account and digits, and is known by either pepper', () => {
    const stored = bankHashes(['pepper'], 'an01', '0042').current
    expect(matchingHash(bankHashes(['pepper'], 'AN01', '0042'), stored)).toBe('current')
    expect(matchingHash(bankHashes(['pepper2', 'pepper'], 'an01', '0042'), stored)).toBe('former')
    for (const other of [
      bankHashes(['pepper2'], 'an01', '0042'),
      bankHashes(['pepper'], 'an02', '0042'),
      bankHashes(['pepper2', 'pepper'], 'an01', '0043'),
    ]) {
      expect(matchingHash(other, stored)).toBeUndefined()
    }
    expect(matchingHash(bankHashes(['pepper'], 'an01', '0042'), stored.subarray(1))).toBeUndefined()
  })

  test('tokens have 256 bits beside their shard, and are kept as their SHA-256', () => {
    const token = newToken(1023)
    expect(Buffer.from(token.slice(2), 'base64url')).toHaveLength(32)
    expect(sessionKey(token)).toEqual({ shard: 1023, hash: expect.any(Buffer) })
    expect(sessionKey(token).hash).toHaveLength(32)
    expect(newToken(1023)).not.toBe(token)
  })

  test('a device mark is of one account and one pepper', () => {
    const mark = deviceMark(['pepper'], 'an01')
    expect(knownDevice(['pepper'], 'AN01', mark)).toBe(mark.split('.')[0])
    for (const [pepper, account, text] of [
      ['pepper', 'an02', mark],
      ['pepper2', 'an01', mark],
      ['pepper', 'an01', `${mark}x`],
      ['pepper', 'an01', '.'],
      ['pepper', 'an01', undefined],
    ] as const) {
      expect(knownDevice([pepper], account, text)).toBeUndefined()
    }
  })
})

test.each([
  ['nguyen01', 'ng***01'],
  ['demo03', 'de***03'],
  ['abc', 'a***'],
  ['', '***'],
])('strangers see %s as %s', (account, masked) => {
  expect(maskedAccount(account)).toBe(masked)
})
