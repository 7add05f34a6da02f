import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { newSite } from '../../test/fixture-builds.ts'
import { withLock } from './lock.ts'
import { jsonBytes, readJson } from './target.ts'

const LOCK = '.deploy/lock.json'
const heldBy = (holder: object) =>
  jsonBytes({ id: 'x', host: hostname(), pid: process.pid, since: '', until: Date.now() + 60_000, ...holder })

/** Work that fails when two do it at once. */
function alone(milliseconds: number) {
  let inside = 0
  return async () => {
    inside += 1
    expect(inside).toBe(1)
    await sleep(milliseconds)
    inside -= 1
  }
}

test('one holds the lock at a time, and all get it in the end', async () => {
  const target = await newSite()
  const work = alone(3)
  await Promise.all(Array.from({ length: 30 }, () => withLock(target, work)))
  expect(await target.read(LOCK)).toBeNull()
})

test('work that fails leaves no lock behind', async () => {
  const target = await newSite()
  await expect(withLock(target, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await withLock(target, async () => 'next', 0)).toBe('next')
})

test.each([
  // Above the largest process number of any system.
  ['of a process that is gone', heldBy({ pid: 2 ** 30 })],
  ['of another machine, whose lease has run out', heldBy({ host: 'elsewhere', until: Date.now() - 1 })],
  ['that is broken', Buffer.from('{')],
])('a lock %s is taken over at once', async (_what, lock) => {
  const target = await newSite()
  await target.write(LOCK, lock)
  expect(await withLock(target, async () => 'mine', 0)).toBe('mine')
})

test('of two who find a dead lock at once, one has it at a time', async () => {
  const target = await newSite()
  await target.write(LOCK, heldBy({ pid: 2 ** 30 }))
  const write = target.write.bind(target)
  let writes = 0
  target.write = async (path, bytes) => {
    // The second is late: the first could have read its own lock by now.
    writes += 1
    if (writes === 2) await sleep(100)
    await write(path, bytes)
  }
  const work = alone(200)
  await Promise.all([withLock(target, work), withLock(target, work)])
})

test('a lock that others hold is waited for, and then named', async () => {
  const target = await newSite()
  await target.write(LOCK, heldBy({ host: 'elsewhere', pid: 77 }))
  await expect(withLock(target, async () => 'mine', 50)).rejects.toThrow(/process 77 on elsewhere/)
})

test('a lease is renewed while the work lasts', async () => {
  const target = await newSite()
  const until = async () => z.object({ until: z.number() }).parse(await readJson(target, LOCK)).until
  import.meta.jest.useFakeTimers()
  try {
    await withLock(target, async () => {
      const first = await until()
      import.meta.jest.advanceTimersByTime(10_000)
      while ((await until()) === first) await sleep(1)
    })
  } finally {
    import.meta.jest.useRealTimers()
  }
})
