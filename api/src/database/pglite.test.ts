import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { seedFolder } from '../../test/engines.ts'
import { statement } from './database.ts'
import { lockDirectory } from './directory-lock.ts'
import { syncCount } from './durable-filesystem.ts'
import { openDatabase } from './open.ts'
import { turnstile } from './turnstile.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anniversary-pglite-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** What a living process of that pid would have written into its lock. */
function lockIdentity(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  return `${boot}:${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
}

function fail(error: unknown) {
  throw error
}

test('every commit reaches the disk before it is acknowledged, and is there after opening again', async () => {
  const add = statement('add', 'INSERT INTO setting (key, value) VALUES ($1, $1)')
  await seedFolder(folder)
  const first = await openDatabase({ folder }, fail)
  const settings = await first.query<{ fsync: string; commit: string }>(
    statement(
      'settings',
      `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit`,
    ),
  )
  expect(settings).toEqual([{ fsync: 'on', commit: 'on' }])
  for (let i = 0; i < 5; i++) {
    const before = syncCount()
    await first.query(add, [`k${i}`])
    expect(syncCount()).toBeGreaterThan(before)
  }
  await first.close()

  const second = await openDatabase({ folder }, fail)
  expect(await second.query(statement('count', `SELECT count(*)::int AS n FROM setting`))).toEqual([{ n: 5 }])
  await second.close()
})

test('a database that was being made when its process died is made anew', async () => {
  mkdirSync(join(folder, 'database.unfinished', 'base'), { recursive: true })
  writeFileSync(join(folder, 'database.unfinished', 'PG_VERSION'), '18')
  await seedFolder(folder)
  expect(readdirSync(folder)).toEqual(['database'])
})

test('its version is the one whose internals the fsync hook was written for', () => {
  const dependencies = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ).dependencies
  expect(dependencies['@electric-sql/pglite']).toMatch(/^\d+\.\d+\.\d+$/)
})

describe('the lock of the data folder', () => {
  const lockElsewhere = () =>
    spawnSync(
      process.execPath,
      [
        '--import',
        'tsx',
        '-e',
        `import(${JSON.stringify(new URL('./directory-lock.ts', import.meta.url).href)})
           .then((m) => m.lockDirectory(${JSON.stringify(folder)}))
           .then(() => console.log('locked'), (e) => console.log(e.message))`,
      ],
      { encoding: 'utf8' },
    ).stdout.trim()

  test('refuses a second process and names the first', () => {
    const lock = lockDirectory(folder)
    expect(lockElsewhere()).toBe(
      `the data folder ${folder} is in use by process ${process.pid}; stop it or set DATA_DIR`,
    )
    lock.release()
    expect(existsSync(join(folder, 'lock'))).toBe(false)
    expect(lockElsewhere()).toBe('locked')
  })

  test('is taken over from a process that is gone', () => {
    // The other process ended without releasing, and left its lock.
    expect(lockElsewhere()).toBe('locked')
    expect(existsSync(join(folder, 'lock'))).toBe(true)
    lockDirectory(folder).release()
  })

  test('is taken over when its pid is another process by now', () => {
    writeFileSync(join(folder, 'lock'), `${process.pid}\nanother-boot:12345\n`)
    lockDirectory(folder).release()
  })

  test('is taken over from a killed process that nobody has waited for', async () => {
    // The shell does not wait for its child, which ends at once and stays as a zombie.
    const shell = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'])
    const pid = Number(await new Promise((done) => shell.stdout.once('data', done)))
    while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) await sleep(10)
    writeFileSync(join(folder, 'lock'), `${pid}\n${lockIdentity(pid)}\n`)
    lockDirectory(folder).release()
    shell.kill()
  })

  test.each(['', 'nonsense', '-1\nx'])('is taken over when it says %j', (text) => {
    writeFileSync(join(folder, 'lock'), text)
    lockDirectory(folder).release()
  })
})

test('the turnstile keeps the order, survives failures, and turns away what is too much', async () => {
  const turns = turnstile(3, () => new Error('full'))
  const order: number[] = []
  const work = (n: number) =>
    turns.enter(async () => {
      await new Promise((done) => setTimeout(done, 5 - n))
      order.push(n)
      if (n === 1) throw new Error('on purpose')
    })
  const results = await Promise.allSettled([0, 1, 2, 3, 4, 5].map(work))
  expect(order).toEqual([0, 1, 2, 3])
  expect(results.map((r) => r.status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'rejected',
    'rejected',
  ])
  expect(turns.length()).toBe(0)
})
