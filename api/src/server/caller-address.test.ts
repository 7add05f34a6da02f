import { expect, test } from '@jest/globals'
import { addressProblem, networkLimitKeys } from './caller-address.ts'

test.each([
  ['192.0.2.7', ['192.0.2.7']],
  ['192.0.2.7:51234', ['192.0.2.7']],
  ['"192.0.2.7:51234"', ['192.0.2.7']],
  ['for=192.0.2.7', ['192.0.2.7']],
  ['::ffff:192.0.2.7', ['192.0.2.7']],
  ['[::ffff:192.0.2.7]:80', ['192.0.2.7']],
  ['2001:0DB8:0001:2::1', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
  ['[2001:db8:1:2::1]', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
  ['For="[2001:db8:1:2::1]:4711"', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
  ['fe80::1%eth0', ['fe80:0:0:0::/64', 'fe80:0:0::/48']],
  ['unknown', ['text unknown']],
  ['_hidden', ['text _hidden']],
  ['x'.repeat(5000), [`text ${'x'.repeat(64)}`]],
])('the keys of %.30s are %p', (address, keys) => {
  expect(networkLimitKeys(address)).toEqual(keys)
})

test.each([
  [['127.0.0.1', '203.0.113.9'], 1, undefined],
  [['203.0.113.9'], 0, undefined],
  [['127.0.0.1'], 1, undefined],
  // A CDN's own address is public, so only the document can tell.
  [['127.0.0.1', '198.51.100.1', '203.0.113.9'], 2, undefined],
  [['127.0.0.1', '203.0.113.9'], 0, 'set TRUST_PROXY=1'],
  [['127.0.0.1', '10.0.0.5', '203.0.113.9'], 1, 'set TRUST_PROXY=2'],
  [['203.0.113.9'], 1, 'set TRUST_PROXY=0'],
  [['127.0.0.1', 'unknown'], 1, '"unknown", which is no address'],
])('with the hops %j and TRUST_PROXY=%d the warning says %s', (hops, trusted, said) => {
  const problem = addressProblem(hops, trusted)
  if (said === undefined) expect(problem).toBeUndefined()
  else expect(problem).toContain(said)
})
