import { describe, expect, test } from '@jest/globals'
import { accountKey, bankHash, newToken, sameHash, sessionKey } from './credentials.ts'
import { knownDevice, newDeviceMark } from './device.ts'
import { maskedAccount } from './mask.ts'

describe('credentials', () => {
  test('accounts compare by composed form, case and blanks', () => {
    expect(accountKey(' Nguyễn01 '.normalize('NFD'))).toBe(accountKey('nguyễn01'.normalize('NFC')))
  })

  test('a hash depends on pepper, account and digits', () => {
    const hash = bankHash('pepper', 'an01', '0042')
    expect(sameHash(hash, bankHash('pepper', 'AN01', '0042'))).toBe(true)
    for (const other of [
      bankHash('pepper2', 'an01', '0042'),
      bankHash('pepper', 'an02', '0042'),
      bankHash('pepper', 'an01', '0043'),
    ]) {
      expect(sameHash(hash, other)).toBe(false)
    }
    expect(sameHash(hash, hash.subarray(1))).toBe(false)
  })

  test('tokens have 256 bits beside their shard, and are kept as their SHA-256', () => {
    const token = newToken(1023)
    expect(Buffer.from(token.slice(2), 'base64url')).toHaveLength(32)
    expect(sessionKey(token)).toEqual({ shard: 1023, hash: expect.any(Buffer) })
    expect(sessionKey(token).hash).toHaveLength(32)
    expect(newToken(1023)).not.toBe(token)
  })

  test('a device mark is of one account and one pepper', () => {
    const mark = newDeviceMark('pepper', 'an01')
    expect(knownDevice('pepper', 'AN01', mark)).toBe(mark.split('.')[0])
    for (const [pepper, account, text] of [
      ['pepper', 'an02', mark],
      ['pepper2', 'an01', mark],
      ['pepper', 'an01', `${mark}x`],
      ['pepper', 'an01', ''],
    ] as const) {
      expect(knownDevice(pepper, account, text)).toBeUndefined()
    }
    expect(knownDevice('pepper', 'an01', undefined)).toBeUndefined()
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
