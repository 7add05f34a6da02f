import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { PEPPER, startApi } from './api-process.ts'
import { check, inFolder, proof } from './report.ts'

const run = promisify(execFile)
const cli = fileURLToPath(new URL('../src/cli/event.ts', import.meta.url))

/** A generator that gives the same numbers every time (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** What a member did, counted here by plain addition, without the server's rules. */
interface Expected {
  readonly digits: string
  depositCents: number
  betCents: number
  deposits: number
  readonly days: Map<string, number>
}

interface Files {
  readonly members: string
  readonly activity: string
  readonly expected: Map<string, Expected>
  readonly good: number
  readonly bad: number
}

/** Files of an operator on an ordinary day: late, repeated, reversed and broken lines among the good ones. */
function writeFiles(folder: string, lines: number): Files {
  const random = numbers(20250820)
  const below = (n: number) => Math.floor(random() * n)
  const two = (n: number) => String(n).padStart(2, '0')
  const expected = new Map<string, Expected>()
  const memberLines = ['username,last_bank_number']
  const count = Math.max(50, Math.floor(lines / 60))
  for (let i = 0; i < count; i++) {
    const digits = String(below(10_000)).padStart(4, '0')
    expected.set(`hoivien${i}`, { digits, depositCents: 0, betCents: 0, deposits: 0, days: new Map() })
    memberLines.push(`hoivien${i},${digits}`)
  }

  const text: { line: string; at: number }[] = []
  let good = 0
  let bad = 0
  for (let i = 0; text.length < lines; i++) {
    const username = `hoivien${below(count)}`
    const member = expected.get(username)
    if (!member) continue
    const isDeposit = random() < 0.5
    const cents = 1 + below(isDeposit ? 60_000 : 80_000)
    // Days 1 to 37 of the stage, and some before and after it.
    const day = below(45) - 4
    const date = new Date(Date.UTC(2025, 7, 1 + day))
    const local = `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`
    const at = `${local}T${two(below(24))}:${two(below(60))}:00+07:00`
    const kind = isDeposit ? 'deposit' : 'bet'
    const line = `quay,${i},${username},${kind},${(cents / 100).toFixed(2)},${at},`
    const isReversed = random() < 0.03
    text.push({ line, at: random() })
    good++
    if (isReversed) {
      text.push({ line: `quay,r${i},${username},reversal,,${at},${i}`, at: random() })
      good++
    } else if (day >= 0 && day <= 36) {
      if (isDeposit) {
        member.depositCents += cents
        member.deposits++
        member.days.set(local, 1)
      } else member.betCents += cents
    }
    if (random() < 0.02) text.push({ line, at: random() })
    if (random() < 0.01) {
      text.push({
        line:
          [`quay,x${i},${username},${kind},-5,${at},`, `quay,x${i},khach${i},bet,5,${at},`, 'rác'][
            below(3)
          ] ?? '',
        at: random(),
      })
      bad++
    }
  }
  text.sort((a, b) => a.at - b.at)
  const members = join(folder, 'members.csv')
  const activity = join(folder, 'activity.csv')
  writeFileSync(members, `${memberLines.join('\n')}\n`)
  writeFileSync(
    activity,
    `source,ref,username,kind,amount,occurred_at,reverses\n${text.map((t) => t.line).join('\n')}\n`,
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
function watchMembers(ask: () => Promise<Response>) {
  const times: number[] = []
  let refused = 0
  let running = true
  const ended = (async () => {
    while (running) {
      const started = performance.now()
      const answer = await ask()
      await answer.arrayBuffer()
      times.push(performance.now() - started)
      if (answer.status === 503) refused++
      await sleep(5)
    }
  })()
  return {
    async stop() {
      running = false
      await ended
      times.sort((a, b) => a - b)
      const at = (part: number) => Math.round((times[Math.floor(times.length * part)] ?? 0) * 10) / 10
      return { 'members p50 ms': at(0.5), 'members p99 ms': at(0.99), 'members 503': refused }
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
    const call = async (path: string, token: string, body?: object) => {
      const response = await fetch(`${server.origin}/api/client/${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { 'content-type': 'application/json', 'x-sign-key': token },
        ...(body && { body: JSON.stringify(body) }),
      })
      // biome-ignore lint/suspicious/noExplicitAny: bodies of several shapes; a wrong guess fails the proof
      return (await response.json()) as any
    }
    const login = async (username: string): Promise<string> => {
      const lastBankNumber = files.expected.get(username)?.digits
      return (await call('login', '', { site: 'ANNIVERSARY', username, lastBankNumber })).data.sign
    }
    const watcher = await login('hoivien0')
    const watch = watchMembers(() =>
      fetch(`${server.origin}/api/client/info`, { headers: { 'x-sign-key': watcher } }),
    )
    const started = performance.now()
    const { stdout } = await event('import', 'activity', files.activity)
    const seconds = (performance.now() - started) / 1000
    const waited = await watch.stop()
    check(waited['members 503'] === 0, 'no member is refused while the import runs')
    const imported = /([\d,]+) imported, .* ([\d,]+) refused/.exec(stdout)
    const number = (text: string | undefined) => Number((text ?? '').replaceAll(',', ''))
    check(number(imported?.[1]) === files.good, `${files.good} lines are imported: ${stdout}`)
    check(number(imported?.[2]) === files.bad, `${files.bad} lines are refused: ${stdout}`)
    const refused =
      files.bad > 0 ? readFileSync(`${files.activity}.refused.csv`, 'utf8').trim().split('\n') : ['']
    check(refused.length === files.bad + 1, 'each refused line is reported')

    const random = numbers(1)
    const names = [...files.expected.keys()]
    for (let i = 0; i < samples; i++) {
      const username = names[Math.floor(random() * names.length)] ?? ''
      const member = files.expected.get(username)
      if (!member) continue
      const token = await login(username)
      const { data } = await call('info', token)
      const states = data.map((m: { claimed: number }) => m.claimed).join('')
      const wanted = [
        member.depositCents >= 30_000 ? 2 : 0,
        member.betCents >= 500_000 ? 2 : 0,
        3,
        member.depositCents >= 1_500_000 ? 2 : 0,
        member.deposits >= 10 ? 2 : 0,
        2,
      ].join('')
      // A member may be picked twice; then the missions are claimed already.
      check(
        states.replaceAll('1', '2') === wanted.replace('3', states[2] === '1' ? '2' : '3'),
        `${username}: ${states}, counted ${wanted}`,
      )
      const streak = {
        event_code_detail: 'NAP_STREAK',
        startTimeStreak: '2025-08-01',
        endTimeStreak: '2025-09-06',
      }
      const answer = await call('take-code', token, streak)
      const hasStreak = longestRun(member.days.keys()) >= 5
      check(
        (answer.status_code === 200) === hasStreak,
        `${username}: streak ${answer.status_code}, counted ${hasStreak}`,
      )
      const claim = await call('take-code', token, { event_code_detail: 'NAP_300' })
      check(
        (claim.status_code === 200) === member.depositCents >= 30_000,
        `${username}: claim ${claim.status_code}`,
      )
    }
    const verified = await event('verify')
    check(!verified.stdout.includes('BROKEN'), verified.stdout)
    return {
      lines: files.good,
      refused: files.bad,
      'lines a second': Math.round(lines / seconds),
      members: names.length,
      samples,
      ...waited,
    }
  } finally {
    await server.stop()
  }
}

await proof(
  import.meta.url,
  'A server on a database of its own, filled from files, against a recount that shares no code with it.',
  [
    { name: 'lines', about: 'lines of activity', usual: 100_000, least: 1000 },
    { name: 'samples', about: 'members picked at random', usual: 200, least: 1 },
  ],
  async (lines = 0, samples = 0) => {
    console.table(await inFolder((folder) => proveImport(folder, lines, samples)))
    return 'what was imported is what members see'
  },
)
