import { expect, test } from '@jest/globals'
import { networkKeys, peerKey } from './address-limit.ts'

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

test('an IPv6 address belongs to a /48 too', () => {
  expect(networkKeys('2001:db8:1:2::3')).toEqual(['2001:db8:1:2::/64', '2001:db8:1::/48'])
  expect(networkKeys('192.0.2.7')).toEqual(['192.0.2.7'])
})
