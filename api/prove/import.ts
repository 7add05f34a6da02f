import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHistogram, performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { numberText } from '../src/operator/number-text.ts'
import { PEPPER, startApi } from './api-process.ts'
import { call, claim, login } from './members.ts'
import { check, inFolder, proof } from './report.ts'

const run = promisify(execFile)
const cli = fileURLToPath(new URL('../src/cli/event.ts', import.meta.url))

/** The files are the same each time. */
const SEED = 20250820
const rarely = (oneIn: number) => fc.nat(oneIn - 1).map((n) => n === 0)
/** An event, and what goes wrong with it. */
const anEvent = fc.noBias(
  fc.record({
    member: fc.nat(),
    kind: fc.constantFrom('deposit' as const, 'bet' as const),
    cents: fc.integer({ min: 1, max: 70_000 }),
    // Days 1 to 37 of the stage, and some before and after it.
    day: fc.integer({ min: -4, max: 40 }),
    minute: fc.nat(24 * 60 - 1),
    isReversed: rarely(33),
    isRepeated: rarely(50),
    bad: fc.tuple(rarely(100), fc.nat(2)),
    places: fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat()),
  }),
)

/** What a member did, counted here by plain addition, without the server's rules. */
interface Expected {
  readonly username: string
  readonly digits: string
  deposit: number
  bet: number
  deposits: number
  readonly days: Set<string>
}

/** Files of an operator on an ordinary day: late, repeated, reversed and broken lines among the good ones. */
function writeFiles(folder: string, lines: number) {
  const expected = Array.from(
    { length: Math.max(50, Math.floor(lines / 60)) },
    (_, i): Expected => ({
      username: `hoivien${i}`,
      digits: String((i * 7919) % 10_000).padStart(4, '0'),
      deposit: 0,
      bet: 0,
      deposits: 0,
      days: new Set(),
    }),
  )
  const text: { line: string; place: number }[] = []
  let good = 0
  let bad = 0
  for (const [i, event] of fc.sample(anEvent, { numRuns: lines, seed: SEED }).entries()) {
    const { kind, cents, day, isReversed, places } = event
    const member = expected[event.member % expected.length] as Expected // below its length
    const date = new Date(Date.UTC(2025, 7, 1 + day)).toISOString().slice(0, 10)
    const at = new Date(Date.parse(`${date}T00:00:00+07:00`) + event.minute * 60_000).toISOString()
    const line = `quay,${i},${member.username},${kind},${(cents / 100).toFixed(2)},${at},`
    text.push({ line, place: places[0] })
    good += isReversed ? 2 : 1
    if (isReversed)
      text.push({ line: `quay,r${i},${member.username},reversal,,${at},${i}`, place: places[1] })
    else if (day >= 0 && day <= 36) {
      member[kind] += cents
      if (kind === 'deposit') {
        member.deposits++
        member.days.add(date)
      }
    }
    if (event.isRepeated) text.push({ line, place: places[2] })
    const [isBad, how] = event.bad
    const wrong = [`quay,x${i},${member.username},bet,-5,${at},`, `quay,x${i},khach${i},bet,5,${at},`, 'rác']
    if (isBad) text.push({ line: wrong[how] ?? '', place: places[3] })
    if (isBad) bad++
  }
  text.sort((a, b) => a.place - b.place)
  const [members, activity] = [join(folder, 'members.csv'), join(folder, 'activity.csv')]
  const write = (file: string, header: string, lines: readonly string[]) =>
    writeFileSync(file, `${[header, ...lines].join('\n')}\n`)
  write(
    members,
    'username,last_bank_number',
    expected.map(({ username, digits }) => `${username},${digits}`),
  )
  const columns = 'source,ref,username,kind,amount,occurred_at,reverses'
  write(
    activity,
    columns,
    text.map(({ line }) => line),
  )
  return { members, activity, expected, good, bad }
}

function longestRun(days: Iterable<string>): number {
  let longest = 0
  let length = 0
  let previous = 0
  for (const day of [...days].sort()) {
    const number = Date.parse(day) / 86_400_000
    length = number === previous + 1 ? length + 1 : 1
    longest = Math.max(longest, length)
    previous = number
  }
  return longest
}

/** Reads mission lists, one after the other as a member's page does, until stopped. */
function watchMembers(ask: () => Promise<{ status: number }>) {
  const histogram = createHistogram()
  const timed = performance.timerify(ask, { histogram })
  let refused = 0
  let running = true
  const ended = (async () => {
    while (running) {
      if ((await timed()).status !== 200) refused++
      await sleep(5)
    }
  })()
  return {
    async stop() {
      running = false
      await ended
      const milliseconds = (percentile: number) => Math.round(histogram.percentile(percentile) / 1e5) / 10
      return {
        'members p50 ms': milliseconds(50),
        'members p99 ms': milliseconds(99),
        'members refused': refused,
      }
    },
  }
}

/**
 * Starts a server on a database of its own, fills it with the operator's command while it runs, and compares what it
 * answers to members picked at random with a count of our own.
 */
export async function proveImport(
  folder: string,
  lines: number,
  samples: number,
): Promise<Record<string, number>> {
  const files = writeFiles(folder, lines)
  const data = join(folder, 'data')
  const server = await startApi({ DATA_DIR: data })
  try {
    const event = (...args: string[]) =>
      run(process.execPath, ['--import', 'tsx', cli, ...args], {
        env: {
          PATH: process.env.PATH ?? '',
          DATA_DIR: data,
          LOGIN_PEPPER: PEPPER,
          EVENT_NOW: '2025-08-20T20:00:00+07:00',
        },
      })
    await event('import', 'members', files.members)
    const { origin } = server
    const info = `${origin}/api/client/info`
    const watched = files.expected[0] as Expected // there are fifty
    const watcher = await login(origin, watched.username, watched.digits)
    const watch = watchMembers(() => call(info, watcher))
    const started = performance.now()
    const { stdout } = await event('import', 'activity', files.activity)
    const seconds = (performance.now() - started) / 1000
    const waited = await watch.stop()
    check(waited['members refused'] === 0, 'no member is refused while the import runs')
    const summary = `${numberText(files.good)} imported, .* ${numberText(files.bad)} refused`
    check(new RegExp(summary).test(stdout), `${summary}: ${stdout}`)
    const refused = readFileSync(`${files.activity}.refused.csv`, 'utf8').trim().split('\n')
    check(refused.length === files.bad + 1, 'each refused line is reported')

    const count = Math.min(samples, files.expected.length)
    const some = fc.shuffledSubarray(files.expected, { minLength: count, maxLength: count })
    for (const member of fc.sample(some, { numRuns: 1, seed: SEED }).flat()) {
      const { username, digits, deposit, bet, deposits } = member
      const token = await login(origin, username, digits)
      const missions = (await call(info, token)).body?.data as { claimed: number }[] // contract/wire.ts
      const states = missions.map(({ claimed }) => claimed).join('')
      const wanted = [
        deposit >= 30_000 ? 2 : 0,
        bet >= 500_000 ? 2 : 0,
        3,
        deposit >= 1_500_000 ? 2 : 0,
        deposits >= 10 ? 2 : 0,
        2,
      ].join('')
      check(states === wanted, `${username}: ${states}, counted ${wanted}`)
      const stage = { startTimeStreak: '2025-08-01', endTimeStreak: '2025-09-06' }
      const streak = await claim(origin, token, 'NAP_STREAK', stage)
      const hasStreak = longestRun(member.days) >= 5
      check((streak.codes !== undefined) === hasStreak, `${username}: streak, counted ${hasStreak}`)
      const plain = await claim(origin, token, 'NAP_300')
      check((plain.codes !== undefined) === deposit >= 30_000, `${username}: claim ${plain.statusCode}`)
    }
    await event('verify')
    return {
      lines: files.good,
      refused: files.bad,
      'lines a second': Math.round(lines / seconds),
      members: files.expected.length,
      samples: count,
      ...waited,
    }
  } finally {
    await server.stop()
  }
}

await proof(
  import.meta.url,
  'A server on a database of its own, filled from files, against a recount that shares no code with it.',
  { lines: 100_000, samples: 200 },
  async ({ lines, samples }) => {
    console.table(await inFolder((folder) => proveImport(folder, lines, samples)))
    return 'what was imported is what members see'
  },
)
