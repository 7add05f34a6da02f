import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '@anniversary/shared/error-code'
import { z } from 'zod'
import { jsonBytes, type Target } from './target.ts'

/**
 * One deploy at a time. The lock is a file with a lease, which its holder renews. Others may take it over when the
 * lease has run out, or when its holder was a process of this machine that no longer runs.
 *
 * The lock only keeps deploys in order. No deploy loses another's work, because only one process can create the record
 * of a number (site/change.ts). So a lock that is taken over too early, because of a wrong clock or a sleeping laptop,
 * costs a repetition and nothing else.
 *
 * No library: the usual ones (proper-lockfile and others) lock a file of this machine, never a bucket.
 */
const LOCK_PATH = '.deploy/lock.json'

const holderSchema = z.object({
  id: z.string(),
  host: z.string(),
  pid: z.number(),
  since: z.string(),
  /** Epoch milliseconds. */
  until: z.number(),
})
type Holder = z.infer<typeof holderSchema>

/** Milliseconds without a renewal until others may take over. */
const LEASE = 15_000
/** Milliseconds, more than a write takes: all that found the lock dead at the same time have written by then. */
const TAKEOVER_PAUSE = 500

/**
 * Runs `work` while holding the target's lock.
 * @param patience milliseconds to wait for others
 * @throws when others hold it for longer
 */
export async function withLock<T>(target: Target, work: () => Promise<T>, patience = 120_000): Promise<T> {
  const id = randomUUID()
  const since = new Date().toISOString()
  const mine = (): Buffer =>
    jsonBytes({ id, host: hostname(), pid: process.pid, since, until: Date.now() + LEASE } satisfies Holder)

  await acquire(target, id, mine, patience)
  async function renew(): Promise<void> {
    if (await holds(target, id)) await target.write(LOCK_PATH, mine())
  }
  // A renewal that fails is tried again by the next. To lose the lease is harmless.
  const renewal = setInterval(() => renew().catch(() => undefined), LEASE / 3)
  try {
    return await work()
  } finally {
    clearInterval(renewal)
    if (await holds(target, id)) await target.remove(LOCK_PATH)
  }
}

async function acquire(target: Target, id: string, mine: () => Buffer, patience: number): Promise<void> {
  const giveUpAt = Date.now() + patience
  for (let attempt = 0; ; attempt++) {
    const stored = await target.read(LOCK_PATH)
    if (!stored) {
      if (await target.create(LOCK_PATH, mine())) return
      continue
    }
    const other = parse(stored)
    if (other?.id === id) return
    if (isDead(other)) {
      // Others may do the same. The last one to write has the lock, which the next round reads.
      await target.write(LOCK_PATH, mine())
      await sleep(TAKEOVER_PAUSE)
      continue
    }
    if (Date.now() > giveUpAt)
      throw new Error(
        `Another deploy holds ${target.url}/${LOCK_PATH} (process ${other?.pid} on ${other?.host}, since ${other?.since}). Wait for it, or remove that file if you know that it is gone.`,
      )
    await sleep(Math.min(20 * 1.3 ** attempt, 400) * (0.5 + Math.random()))
  }
}

async function holds(target: Target, id: string): Promise<boolean> {
  const stored = await target.read(LOCK_PATH)
  return stored !== null && parse(stored)?.id === id
}

/** Null for a broken lock file, which no holder can renew. */
function parse(bytes: Buffer): Holder | null {
  try {
    return holderSchema.parse(JSON.parse(bytes.toString('utf8')))
  } catch {
    return null
  }
}

function isDead(other: Holder | null): boolean {
  if (!other || other.until < Date.now()) return true
  if (other.host !== hostname() || other.pid === process.pid) return false
  try {
    process.kill(other.pid, 0)
    return false
  } catch (error) {
    // EPERM: it runs, as another user.
    return errorCode(error) === 'ESRCH'
  }
}
