import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MISSION_CODES } from '@anniversary/shared/contract/event'
import { statement } from '../src/database/database.ts'
import { openDatabase } from '../src/database/open.ts'
import { StartupError } from '../src/startup-error.ts'
import { startApi } from './api-process.ts'
import { checkSound, claim, seed } from './members.ts'
import { check } from './report.ts'

const SIZE = '192m'

/** Mounts a small file system; undefined where this user may not. */
function mountSmall(): { folder: string; unmount(): void } | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'anniversary-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    rmSync(folder, { recursive: true })
    return undefined
  }
  return {
    folder,
    unmount() {
      execFileSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Fills a file system, to its last block unless some bytes are spared. @returns what frees it again */
function fill(folder: string, spared = 0): () => void {
  const path = join(folder, 'filler')
  const { bavail, bsize } = statfsSync(folder)
  let bytes = Math.max(0, bavail * bsize - spared)
  // The last blocks go to whoever is quicker.
  for (; bytes > 0; bytes -= bsize) {
    try {
      writeFileSync(path, Buffer.alloc(bytes))
      break
    } catch {
      truncateSync(path)
    }
  }
  return () => rmSync(path)
}

/** Waits until the database, which may have to be started again, takes writes. */
async function untilTaken(attempt: () => Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + 30_000
  while (!(await attempt())) {
    check(Date.now() < giveUpAt, 'with room again, the database takes writes')
    await sleep(100)
  }
}

/** Through HTTP: claims on a full disk are refused with 503, the process lives, and nothing that was given is lost. */
async function throughHttp(folder: string): Promise<{ given: number; refused: number }> {
  const players = await seed({ folder }, 400)
  const api = await startApi({ DATA_DIR: folder })
  const given = new Map<string, string>()
  let refused = 0
  const claimAll = async (from: number, to: number) => {
    for (const { account, token } of players.slice(from, to)) {
      for (const mission of MISSION_CODES) {
        const { status, codes } = await claim(api.origin, token, mission)
        check(
          status === 200 || status === 503,
          `a claim on a full disk answers 503, not ${status}: ${api.log()}`,
        )
        if (status === 503) refused++
        else given.set(`${account} ${mission}`, codes?.join() ?? '')
      }
    }
  }
  await claimAll(0, 50)
  const free = fill(folder)
  await claimAll(50, 400)
  check(refused > 0, 'a full disk refuses claims')
  check(api.isAlive(), 'the process lives')
  free()
  await untilTaken(async () => (await claim(api.origin, players[399]?.token ?? '', 'NAP_300')).status === 200)
  const before = new Map(given)
  const turnedAway = refused
  refused = 0
  await claimAll(0, 400)
  check(refused === 0, 'with room again, every claim is taken')
  for (const [key, codes] of before) check(given.get(key) === codes, `${key} keeps its codes`)
  await api.stop()
  await checkSound({ folder })
  return { given: given.size, refused: turnedAway }
}

/** The worst case: the write-ahead log finds no room and Postgres panics. It must be started again. */
async function withPanic(folder: string): Promise<{ rows: number; panics: number }> {
  const database = await openDatabase({ folder }, () => undefined)
  const add = statement('disk-add', 'INSERT INTO setting (key, value) VALUES ($1, $2)')
  const count = statement('disk-count', `SELECT count(*)::int AS n FROM setting WHERE key LIKE 'disk%'`)
  // Room for rows, but not for another segment of the log.
  const free = fill(folder, 12 * 1024 * 1024)
  let rows = 0
  let refusals = 0
  for (let i = 0; refusals < 50 && i < 20_000; i++) {
    try {
      await database.query(add, [`disk${i}`, randomBytes(3000).toString('hex')])
      rows++
    } catch {
      refusals++
    }
  }
  free()
  await untilTaken(() =>
    database.query(add, ['last', '']).then(
      () => true,
      () => false,
    ),
  )
  const [row] = await database.query<{ n: number }>(count)
  check((row?.n ?? 0) >= rows, `${rows} rows were acknowledged, ${row?.n} are there`)
  await database.close()
  return { rows, panics: readFileSync(join(folder, 'postgres.log'), 'utf8').split('PANIC:').length - 1 }
}

/** A start on a full disk ends with one line, and leaves nothing behind. */
async function startsNot(folder: string): Promise<void> {
  mkdirSync(folder)
  const free = fill(folder)
  const error: unknown = await openDatabase({ folder }, () => undefined).catch((error: unknown) => error)
  free()
  check(
    error instanceof StartupError && /No space left/.test(error.message),
    `told as such: ${String(error)}`,
  )
  check(readdirSync(folder).length === 0, `nothing is left: ${readdirSync(folder)}`)
}

/** @returns one line for a person */
export async function proveDiskFull(): Promise<string> {
  const small = mountSmall()
  if (!small) return 'full disk: not tried, this user may not mount a small file system'
  try {
    const http = await throughHttp(join(small.folder, 'http'))
    rmSync(join(small.folder, 'http'), { recursive: true })
    await startsNot(join(small.folder, 'start'))
    const panic = await withPanic(join(small.folder, 'panic'))
    return `full disk: ${http.refused} claims turned away with 503 and taken once there was room, none of ${http.given} lost; ${panic.rows} rows kept over ${panic.panics} panic(s) of Postgres`
  } finally {
    small.unmount()
  }
}
