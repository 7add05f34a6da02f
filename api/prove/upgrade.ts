import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { livezAnswer } from '@anniversary/shared/contract/api-version'
import { MISSION_CODES } from '@anniversary/shared/contract/missions'
import { startPostgres } from '../test/postgres.ts'
import { type ApiProcess, startApi } from './api-process.ts'
import { any, startClients } from './clients.ts'
import { type Answer, call, problemsIn, seed } from './members.ts'
import { check, proof, until } from './report.ts'

const execute = promisify(execFile)

const SCRIPT = join(import.meta.dirname, 'proxies.sh')
/** The ports of proxies.sh. */
const PORTS = [3811, 3812]
const PROXIES = ['http://127.0.0.1:3801', 'http://127.0.0.1:3802']
const NGINX_DEFAULTS = 'http://127.0.0.1:3803'
/** Two intervals of HAProxy's checks. */
const DRAIN_SECONDS = 2
const PLAYERS_A_ROUND = 300
const NEXT = '1.99.0'
const ENVIRONMENT = { NODE_ENV: 'production', LOG_LEVEL: 'silent' }

/** A page shows every other failure to the member. */
const isRepeated = ({ status, isExplained }: Answer) => status === 503 && isExplained
const isShown = (answer: Answer) => answer.status !== 200 && !isRepeated(answer)

/** They end with this process. `stop` returns the number of dumps. */
function startProxies(url: string) {
  const child = spawn(SCRIPT, ['run', url], { stdio: ['ignore', 'pipe', 'inherit'] })
  process.once('exit', () => child.kill())
  let dumps = 0
  createInterface(child.stdout).on('line', () => dumps++)
  const stop = async () => {
    child.kill()
    await once(child, 'exit')
    return dumps
  }
  return { stop }
}

async function proveUpgrades(url: string, folder: string, times: number): Promise<void> {
  await execute(SCRIPT, ['build', folder, NEXT])
  const [current, next] = [join(folder, 'current'), join(folder, 'next')]
  const players = await seed(url, PLAYERS_A_ROUND * (times + 2))
  const proxies = startProxies(url)
  const start = (port: number, version: string, drainSeconds: number) => {
    const own = { DATABASE_URL: url, PORT: `${port}`, DRAIN_SECONDS: `${drainSeconds}` }
    return startApi({ ...ENVIRONMENT, ...own }, { file: join(version, 'api.mjs') })
  }
  const apis: ApiProcess[] = await Promise.all(
    PORTS.map((port) => start(port, current, DRAIN_SECONDS)),
  )
  for (const origin of [...PROXIES, NGINX_DEFAULTS]) {
    const isReached = async () => (await call(`${origin}/livez`, ''))[0].status === 200
    await until(`${origin} leading to the API`, isReached)
  }
  const startLoad = (origins: readonly string[]) => {
    const load = startClients(() => any(origins))
    const feed = () => {
      const added = players.splice(0, PLAYERS_A_ROUND)
      load.toClaim.push(
        ...added.flatMap((player) => MISSION_CODES.map((mission) => ({ player, mission }))),
      )
    }
    const during = async (work: () => Promise<unknown>): Promise<Answer[]> => {
      const before = load.seen.length
      await work()
      return load.seen.slice(before)
    }
    return { ...load, feed, during }
  }
  const replace = async (version: string, drainSeconds = DRAIN_SECONDS) => {
    for (const [i, port] of PORTS.entries()) {
      await apis[i]?.stop()
      apis[i] = await start(port, version, drainSeconds)
      const { version: running } = livezAnswer.parse(
        await (await fetch(`http://127.0.0.1:${port}/livez`)).json(),
      )
      check((running === NEXT) === (version === next), `${running} runs from ${version}`)
    }
  }
  const migrate = async (name: string, sql: string) => {
    writeFileSync(join(next, `migrations/${name}.sql`), `-- Up Migration\n${sql};\n`)
    const options = { cwd: next, env: { DATABASE_URL: url } }
    const { stdout } = await execute(process.execPath, ['event.mjs', 'migrate'], options)
    check(stdout.includes(`applied ${name}`), `${name} is applied`)
  }
  const load = startLoad(PROXIES)
  const seen: { [phase: string]: Answer[] } = { migration: [], upgrade: [], back: [] }
  const record = async (phase: string, work: () => Promise<unknown>) =>
    seen[phase]?.push(...(await load.during(work)))
  for (let round = 1; round <= times; round++) {
    load.feed()
    await record('migration', () =>
      migrate(`${1000 + round}_round`, `ALTER TABLE ticket ADD COLUMN r${round} text`),
    )
    await record('upgrade', () => replace(next))
    await record('back', () => replace(current))
    console.log(`${round} of ${times}: ${load.seen.length} calls, ${load.claims.length} claims`)
  }
  await load.end()
  const { problems } = await problemsIn(url, load.seen)

  // Counter-proofs must show failures to members.
  const counter = async (origins: readonly string[], work: () => Promise<unknown>) => {
    const careless = startLoad(origins)
    careless.feed()
    const answers = await careless.during(work)
    await careless.end()
    return answers
  }
  const defaults = await counter([NGINX_DEFAULTS], async () => {
    for (const _ of ['once', 'twice']) await replace(current, 0)
  })
  const breaking = await counter(PROXIES, async () => {
    await migrate('2000_rename.breaking', 'ALTER TABLE ticket RENAME COLUMN voided_at TO void_at')
    await sleep(3000)
  })
  await Promise.all(apis.map((api) => api.stop()))
  const dumps = await proxies.stop()

  const row = (answers: readonly Answer[]) => ({
    calls: answers.length,
    '503 that the page repeats': answers.filter(isRepeated).length,
    'shown to members': answers.filter(isShown).length,
  })
  const rows = { ...seen, 'breaking migration': breaking, "nginx's defaults": defaults }
  console.table(
    Object.fromEntries(Object.entries(rows).map(([phase, answers]) => [phase, row(answers)])),
  )
  const claims = load.claims.length
  const shown = load.seen.filter(isShown)
  console.log({ claims, dumps, problems: problems.length })
  check(claims >= times && dumps >= times, 'members claimed, and the database was dumped')
  check(shown.length === 0, `no answer is shown to members: ${JSON.stringify(shown.slice(0, 3))}`)
  check(problems.length === 0, `no claim is lost or doubled: ${problems.slice(0, 5).join('; ')}`)
  check(breaking.some(isShown) && defaults.some(isShown), 'the counter-proofs show failures')
}

await proof(import.meta.url, { times: 50 }, async ({ times }) => {
  const folder = mkdtempSync(join(tmpdir(), 'anniversary-upgrade-'))
  const postgres = await startPostgres()
  try {
    await proveUpgrades(postgres.url, folder, times)
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return `${times} upgrades and ${times} ways back showed members no failure and lost no claim`
})
