import { expect, test } from '@jest/globals'
import type { FastifyRequest } from 'fastify'
import { addressLimit, networkKeys, peerKey } from './address-limit.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:2::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['x'.repeat(5000), 'unknown'],
  ['::1', '0:0:0:0::/64'],
])('%s is the peer %s', (address, key) => {
  expect(peerKey(address)).toBe(key)
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

test('an IPv6 address belongs to a /48 too', () => {
  expect(networkKeys('2001:db8:1:2::3')).toEqual(['2001:db8:1:2::/64', '2001:db8:1::/48'])
  expect(networkKeys('192.0.2.7')).toEqual(['192.0.2.7'])
})
