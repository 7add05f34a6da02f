import { expect, test } from '@jest/globals'
import { SHARDS, shardNamedBy, shardOf, shardSymbols } from './shard.ts'

test('two symbols name each shard, and nothing else names one', () => {
  const names = Array.from({ length: SHARDS }, (_, shard) => shardSymbols(shard))
  expect(names.map(shardNamedBy)).toEqual(names.map((_, shard) => shard))
  expect(new Set(names).size).toBe(1024)
  for (const text of ['', '0', 'U0', '0l', 'é0']) expect(shardNamedBy(text)).toBeUndefined()
})

test('a member’s shard is his id modulo their number, also beyond 53 bits', () => {
  expect(['1', '1024', '1025', '9223372036854775807'].map(shardOf)).toEqual([1, 0, 1, 1023])
})
