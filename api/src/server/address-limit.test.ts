import { expect, test } from '@jest/globals'
import type { FastifyRequest } from 'fastify'
import { addressLimit } from './address-limit.ts'

test('a network may ask as often as ten addresses', async () => {
  const limit = addressLimit(2, 60)
  const ask = (ip: string) => limit({ ip } as FastifyRequest) // reads no more
  // Refused ones do not count.
  for (let i = 0; i < 30; i++) await ask('2001:db8:1:0::1').catch(() => undefined)
  for (let i = 1; i < 19; i++) await ask(`2001:db8:1:${i}::1`)
  await expect(ask('2001:db8:1:ff::1')).rejects.toMatchObject({ statusCode: 429 })
  await ask('2001:db8:2:ff::1')
})
