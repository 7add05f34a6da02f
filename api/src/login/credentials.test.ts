import { expect, test } from '@jest/globals'
import { loginKeys } from '../server/pepper.ts'
import { bankHash } from './credentials.ts'
import { deviceMark, knownDevice } from './known-device.ts'

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

test('digits and devices are hashed with different keys', () => {
  const keys = loginKeys('pepper')
  const [, signature = ''] = deviceMark(keys, 'an01', '0042').split('.')
  for (const account of ['an01', 'device\0an01'])
    expect(bankHash(keys, account, '0042').toString('base64url')).not.toBe(signature)
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
