import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { newSite } from '../../test/fixture-builds.ts'
import { withLock } from './lock.ts'
import { jsonBytes, readJson } from './target.ts'

const LOCK = '.deploy/lock.json'
const heldBy = (holder: object) =>
  jsonBytes({ id: 'x', host: hostname(), pid: process.pid, since: '', until: Date.now() + 60_000, ...holder })

test('one holds the lock at a time, and all get it in the end', async () => {
  const target = await newSite()
  let inside = 0
  let done = 0
  const work = async () => {
    inside += 1
    expect(inside).toBe(1)
    await sleep(3)
    inside -= 1
    done += 1
  }
  await Promise.all(Array.from({ length: 30 }, () => withLock(target, work)))
  expect(done).toBe(30)
  expect(await target.read(LOCK)).toBeNull()
})

test('work that fails leaves no lock behind', async () => {
  const target = await newSite()
  await expect(withLock(target, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await withLock(target, async () => 'next', 0)).toBe('next')
})

test('a lock of a process that is gone is taken over without waiting for its lease', async () => {
  const target = await newSite()
  // Above the largest process number of any system.
  await target.write(LOCK, heldBy({ pid: 2 ** 30 }))
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
  let inside = 0
  const work = async () => {
    inside += 1
    expect(inside).toBe(1)
    await sleep(200)
    inside -= 1
  }
  await Promise.all([withLock(target, work), withLock(target, work)])
})

test('a lock whose lease has run out is taken over, also from another machine', async () => {
  const target = await newSite()
  await target.write(LOCK, heldBy({ host: 'elsewhere', pid: 1, until: Date.now() - 1 }))
  expect(await withLock(target, async () => 'mine', 0)).toBe('mine')
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

test('a broken lock file is taken over', async () => {
  const target = await newSite()
  await target.write(LOCK, Buffer.from('{'))
  expect(await withLock(target, async () => 'mine', 0)).toBe('mine')
})
