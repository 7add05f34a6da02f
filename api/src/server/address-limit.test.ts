import { expect, test } from '@jest/globals'
import type { FastifyRequest } from 'fastify'
import { addressLimit, networkKeys } from './address-limit.ts'

test.each([
  ['192.0.2.7', ['192.0.2.7']],
  ['::ffff:192.0.2.7', ['192.0.2.7']],
  ['2001:0DB8:0001:2::1', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
  ['fe80::1%eth0', ['fe80:0:0:0::/64', 'fe80:0:0::/48']],
  ['x'.repeat(5000), ['unknown']],
])('the keys of %.30s are %p', (address, keys) => {
  expect(networkKeys(address)).toEqual(keys)
})

test('a network may ask as often as ten addresses', async () => {
  const limit = addressLimit(2, 60)
  const ask = (ip: string) => limit({ ip } as FastifyRequest) // reads no more
  // Refused ones do not count.
  for (let i = 0; i < 30; i++) await ask('2001:db8:1:0::1').catch(() => undefined)
  for (let i = 1; i < 19; i++) await ask(`2001:db8:1:${i}::1`)
  await expect(ask('2001:db8:1:ff::1')).rejects.toMatchObject({ statusCode: 429 })
  await ask('2001:db8:2:ff::1')
})
