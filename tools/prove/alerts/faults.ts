import { execFileSync, spawn } from 'node:child_process'
import { rmSync, utimesSync, watch, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { any } from '@anniversary/api/prove/clients'
import { book, claim } from '@anniversary/api/prove/members'
import { callerOf } from '@anniversary/api/test/caller'
import { failureReport } from '@anniversary/api/test/failure-report'
import { ROOT } from '../../packages.ts'
import { startProgram, stopProgram } from './programs.ts'
import type { Stack } from './stack.ts'
import { newAddress, sendReport, sendView } from './visitors.ts'

/** Causes a fault until the signal, and repairs it. */
type Cause = (stack: Stack, signal: AbortSignal) => Promise<void>

const HOUR_SECONDS = 3600

/** No member has this account. */
const NOBODY = { id: '', account: 'nobody', token: '' }

/** Alerts whose faults are there from the start. */
export const LASTING = ['CertificateExpires', 'EventClockShifted'] as const

/**
 * Faults by the alerts that they must cause. A fault ends before the next
 * begins.
 */
export const FAULTS: readonly [alerts: readonly string[], cause: Cause][] = [
  [
    ['ApiDown'],
    async (stack, signal) => {
      await Promise.all(stack.running.apis.map((api) => api.crash()))
      await untilAborted(signal)
      stack.running.apis = await stack.startApis()
    },
  ],
  [
    ['RemoteFails', 'RemoteThrows', 'PagesBroken', 'FailuresReported'],
    (stack, signal) =>
      repeat(signal, 200, async () => {
        const [origin = ''] = stack.origins
        await sendView(origin, '1.0.0-broken', ['threw', 'failed'])
        await sendReport(origin, {
          ...failureReport,
          'remote.version': '1.0.0-broken',
          'remote.next': 'none',
        })
      }),
  ],
  [
    ['BackofficeRefused'],
    (stack, signal) =>
      repeat(signal, 500, () => book(any(stack.origins), NOBODY, 'deposit', ['2025-08-20'])),
  ],
  [
    ['NoTickets'],
    (stack, signal) => repeat(signal, 200, () => sendClaim(stack, 'NO_SUCH_MISSION')),
  ],
  [
    ['LoginsLimited'],
    (stack, signal) =>
      repeat(signal, 50, () => together(10, () => sendLogin(stack, '203.0.113.9'))),
  ],
  [
    ['LoginsThrottled'],
    async (stack, signal) => {
      await repeat(signal, 0, () => together(40, () => sendLogin(stack, newAddress())))
      await sql(stack, 'DELETE FROM rate_limit')
    },
  ],
  [
    ['ApiSlow', 'ClaimsSlow', 'DatabaseQueue'],
    async (stack, signal) => {
      const lock = startSql(stack, 'BEGIN; LOCK TABLE session; SELECT pg_sleep(600)')
      await repeat(signal, 100, () => together(300, () => sendClaim(stack)))
      await stopProgram(lock, 'SIGTERM')
    },
  ],
  [
    ['ClaimSetsFail'],
    async (stack, signal) => {
      await sql(stack, 'ALTER TABLE ticket RENAME TO ticket_away')
      await repeat(signal, 200, () => together(8, () => sendClaim(stack)))
      await sql(stack, 'ALTER TABLE ticket_away RENAME TO ticket')
    },
  ],
  [
    ['DatabaseClockAhead'],
    async (stack, signal) => {
      await sql(
        stack,
        `CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS
          $$ SELECT pg_catalog.clock_timestamp() + interval '1 minute' $$`,
      )
      await sql(stack, 'ALTER DATABASE postgres SET search_path = public, pg_catalog')
      await cutConnections(stack)
      await untilAborted(signal)
      await sql(stack, 'ALTER DATABASE postgres RESET search_path')
      await sql(stack, 'DROP FUNCTION public.clock_timestamp()')
      await cutConnections(stack)
    },
  ],
  [
    ['EventLoopBlocked'],
    async (stack, signal) => {
      const [api] = stack.running.apis
      while (!signal.aborted) {
        api?.child.kill('SIGSTOP')
        await sleep(3000)
        api?.child.kill('SIGCONT')
        await sleep(1000)
      }
    },
  ],
  [
    ['ArchiveFails'],
    async (stack, signal) => {
      await setArchiveCommand(stack, '/bin/false')
      // A segment without a change is not archived.
      await repeat(signal, 1000, async () => {
        await sql(stack, "SELECT pg_logical_emit_message(true, 'proof', 'change')")
        await sql(stack, 'SELECT pg_switch_wal()')
      })
      await setArchiveCommand(stack, '/bin/true')
    },
  ],
  [
    ['PostgresDown', 'ApiErrors', 'CallsUnanswered'],
    async (stack, signal) => {
      stack.postgres.crash()
      await repeat(signal, 100, () => together(4, () => sendClaim(stack)))
      await stack.postgres.start()
    },
  ],
  [
    ['BackupOld'],
    async ({ monitoring }, signal) => {
      const file = join(monitoring.textfiles, 'event-backup.prom')
      const twoDaysAgo = Date.now() / 1000 - 48 * HOUR_SECONDS
      utimesSync(file, twoDaysAgo, twoDaysAgo)
      await untilAborted(signal)
      writeFileSync(file, '')
    },
  ],
  [
    ['DiskFull'],
    async ({ folder }, signal) => {
      const disk = join(folder, 'disk')
      await mkdir(disk)
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', disk])
      // Also after a failure, and before the folder is removed.
      process.prependOnceListener('exit', () => execFileSync('umount', ['--lazy', disk]))
      writeFileSync(join(disk, 'full'), Buffer.alloc(15 * 2 ** 20))
      await untilAborted(signal)
      rmSync(join(disk, 'full'))
    },
  ],
  // The site's certificate ends in six days, and the event's clock is the
  // proof's.
  [[...LASTING], (_stack, signal) => untilAborted(signal)],
  [
    ['SiteDown'],
    async ({ https, sitePort }, signal) => {
      https.close()
      https.closeAllConnections()
      await untilAborted(signal)
      https.listen(sitePort, '127.0.0.1')
    },
  ],
  [
    ['PagesBehind'],
    async (stack, signal) => {
      await killDuringPublish(stack)
      await untilAborted(signal)
      stack.deploy('verify', '--repair')
    },
  ],
  [
    ['TargetDown'],
    async (stack, signal) => {
      await stopProgram(stack.running.deployServer, 'SIGKILL')
      await untilAborted(signal)
      stack.running.deployServer = stack.startDeployServer()
    },
  ],
]

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

const sendClaim = ({ origins, players }: Stack, mission = 'NAP_300') =>
  claim(any(origins), any(players), mission)

let logins = 0
const sendLogin = ({ origins }: Stack, address: string) =>
  callerOf(any(origins))({
    url: '/api/client/login',
    headers: { 'x-forwarded-for': address },
    payload: { site: 'ANNIVERSARY', username: `guessed${logins++}`, lastBankNumber: '9999' },
  })

export async function repeat(
  signal: AbortSignal,
  pauseMs: number,
  work: () => Promise<unknown>,
): Promise<void> {
  for (; !signal.aborted; await sleep(pauseMs)) await work().catch(() => undefined)
}

const together = (count: number, work: () => Promise<unknown>) =>
  Promise.allSettled(Array.from({ length: count }, work))

const psqlOf = ({ postgres }: Stack, text: string) => [
  ...['-h', postgres.folder, '-U', 'postgres', '-v', 'ON_ERROR_STOP=1', '-q', '-c', text],
]
const startSql = (stack: Stack, text: string) => startProgram('psql', psqlOf(stack, text))
async function sql(stack: Stack, text: string): Promise<void> {
  execFileSync('psql', psqlOf(stack, text), { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Ends the servers' connections: only new ones have changed settings. */
const cutConnections = (stack: Stack) =>
  sql(
    stack,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'anniversary-api'",
  )

async function setArchiveCommand(stack: Stack, command: string): Promise<void> {
  await sql(stack, `ALTER SYSTEM SET archive_command = '${command}'`)
  await sql(stack, 'SELECT pg_reload_conf()')
}

/**
 * Kills a change of the site when its record is there and before its pages are.
 */
async function killDuringPublish({ site }: Stack): Promise<void> {
  const args = [
    join(ROOT, 'deploy-server/bin/deploy-server.js'),
    'config',
    'supportUrl=https://killed.example',
  ]
  const child = spawn(process.execPath, [...args, '--site', site], { stdio: 'ignore' })
  const watcher = watch(join(site, 'compositions'), () => child.kill('SIGKILL'))
  await new Promise((resolve) => child.once('exit', resolve))
  watcher.close()
}
