import { describe, expect, test } from '@jest/globals'
import { maskedAccount } from '../check/check.ts'
import { loginKeys } from '../server/pepper.ts'
import { accountKey, bankHash } from './credentials.ts'
import { deviceMark, knownDevice } from './known-device.ts'

describe('credentials', () => {
  test('accounts compare by composed form, case and blanks', () => {
    expect(accountKey(' Nguyễn01 '.normalize('NFD'))).toBe(accountKey('nguyễn01'.normalize('NFC')))
  })

  test('a hash depends on pepper, account and digits', () => {
    const keys = loginKeys('pepper')
    const hashes = [
      bankHash(keys, 'an01', '0042'),
      bankHash(loginKeys('pepper2'), 'an01', '0042'),
      bankHash(keys, 'an02', '0042'),
      bankHash(keys, 'an01', '0043'),
    ]
    expect(new Set(hashes.map(String)).size).toBe(4)
    expect(bankHash(keys, 'AN01', '0042')).toEqual(hashes[0])
  })

  test('digits and devices are keyed apart: no hash of the one is a signature of the other', () => {
    const keys = loginKeys('pepper')
    const [, signature = ''] = deviceMark(keys, 'an01', '0042').split('.')
    for (const account of ['an01', 'device\0an01'])
      expect(bankHash(keys, account, '0042').toString('base64url')).not.toBe(signature)
  })

  test('a device mark is of one account and one pepper', () => {
    const keys = loginKeys('pepper')
    const mark = deviceMark(keys, 'an01')
    expect(knownDevice(keys, 'AN01', mark)).toBe(mark.split('.')[0])
    expect(knownDevice(loginKeys('pepper2'), 'an01', mark)).toBeUndefined()
    expect(knownDevice(keys, 'an02', mark)).toBeUndefined()
    for (const wrong of [`${mark}x`, '.', undefined]) expect(knownDevice(keys, 'an01', wrong)).toBeUndefined()
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
