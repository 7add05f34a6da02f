import { expect, test } from '@jest/globals'
import { loginKeys } from '../server/pepper.ts'
import { accountKey, hashBankDigits } from './credentials.ts'
import { deviceMark, knownDevice } from './known-device.ts'

test('a hash depends on pepper, account and digits', () => {
  const keys = loginKeys('pepper')
  const hashes = [
    hashBankDigits(keys, 'an01', '0042'),
    hashBankDigits(loginKeys('pepper2'), 'an01', '0042'),
    hashBankDigits(keys, 'an02', '0042'),
    hashBankDigits(keys, 'an01', '0043'),
  ]
  expect(new Set(hashes.map(String)).size).toBe(4)
  expect(hashBankDigits(keys, 'AN01', '0042')).toEqual(hashes[0])
})

test('digits and devices are hashed with different keys', () => {
  const keys = loginKeys('pepper')
  const [, signature = ''] = deviceMark(keys, 'an01', '0042').split('.')
  for (const account of ['an01', 'device\0an01'])
    expect(hashBankDigits(keys, account, '0042').toString('base64url')).not.toBe(signature)
})

test('a device cookie belongs to one account and one pepper', () => {
  const keys = loginKeys('pepper')
  const mark = deviceMark(keys, 'an01')
  expect(knownDevice(keys, 'AN01', mark)).toBe(mark.split('.')[0])
  expect(knownDevice(loginKeys('pepper2'), 'an01', mark)).toBeUndefined()
  expect(knownDevice(keys, 'an02', mark)).toBeUndefined()
  for (const wrong of [`${mark}x`, '.', undefined])
    expect(knownDevice(keys, 'an01', wrong)).toBeUndefined()
})

test('letters have one key in every form, and Vietnamese ones keep theirs', () => {
  for (const form of ['\u01f0an', 'J\u030can', 'j\u030can'])
    expect(accountKey(form)).toBe('\u01f0an')
  const vietnamese = 'aăâeêioôơuưy'
    .split('')
    .flatMap((letter) =>
      ['', '\u0300', '\u0301', '\u0303', '\u0309', '\u0323'].map((tone) => letter + tone),
    )
  for (const letter of [...vietnamese, 'đ'])
    expect(accountKey(letter.toUpperCase())).toBe(letter.normalize('NFC'))
})
