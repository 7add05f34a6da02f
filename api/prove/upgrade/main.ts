import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { livezAnswer } from '@anniversary/shared/contract/api-version'
import { TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import { MISSION_CODES } from '@anniversary/shared/contract/missions'
import { startPostgres } from '../../test/postgres.ts'
import { type ApiProcess, startApi } from '../api-process.ts'
import { contradictions } from '../claim-history.ts'
import { any, startClients } from '../clients.ts'
import { type Answer, isSound, type Player, seed, storedTickets } from '../members.ts'
import { check, proof, until } from '../report.ts'
import { freePorts, generateNginx, run, start, startHaproxy, startNginx, withDefaults } from './proxies.ts'

const execute = promisify(execFile)
const api = fileURLToPath(new URL('../..', import.meta.url))
/** Two intervals of HAProxy's checks. */
const DRAIN_SECONDS = 2
const PLAYERS_A_ROUND = 150

/** Builds the artifact, and the next version of it: another version's number, and the migrations of the rounds. */
function buildVersions(folder: string) {
  run('npm', ['run', 'build', '--silent'], { cwd: api })
  const [current, next] = ['current', 'next'].map((name) => join(folder, name)) as [string, string]
  for (const version of [current, next]) cpSync(join(api, 'dist'), version, { recursive: true })
  const file = join(next, 'api.mjs')
  writeFileSync(file, readFileSync(file, 'utf8').replace(/version: "1\.[\d.]+"/, 'version: "1.99.0"'))
  return { current, next }
}

/** The page repeats a 503 that says when; every other failure is shown to the member. */
const isShown = ({ status, isExplained }: Answer) => status !== 200 && !(status === 503 && isExplained)

interface Scene {
  readonly folder: string
  readonly url: string
  readonly ports: readonly number[]
  readonly versions: ReturnType<typeof buildVersions>
  readonly players: Player[]
}

/** Two processes behind proxies, under load. */
async function open(
  { url, ports, versions, players }: Scene,
  origins: readonly string[],
  drainSeconds: number,
) {
  const env = {
    DATABASE_URL: url,
    NODE_ENV: 'production',
    TRUST_PROXY: '1',
    DRAIN_SECONDS: String(drainSeconds),
    LOG_LEVEL: 'silent',
  }
  const startAt = (port: number, version: string) =>
    startApi({ ...env, PORT: String(port) }, { file: join(version, 'api.mjs') })
  const processes: ApiProcess[] = await Promise.all(ports.map((port) => startAt(port, versions.current)))
  for (const origin of origins)
    await until(`${origin} leading to the API`, () =>
      fetch(`${origin}/livez`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
  const load = startClients(() => any(origins))
  const feed = () => {
    const own = players.splice(0, PLAYERS_A_ROUND)
    load.toClaim.push(...own.flatMap((player) => MISSION_CODES.map((mission) => ({ player, mission }))))
  }
  feed()
  return {
    load,
    feed,
    /** Replaces one process after the other. Returns what was answered meanwhile. */
    async replace(version: string): Promise<readonly Answer[]> {
      const before = load.answers.length
      for (const [i, port] of ports.entries()) {
        await processes[i]?.stop()
        processes[i] = await startAt(port, version)
        const livez = await (await fetch(`http://127.0.0.1:${port}/livez`)).json()
        const { version: running } = livezAnswer.parse(livez)
        check((running === '1.99.0') === (version === versions.next), `${running} runs from ${version}`)
      }
      return load.answers.slice(before)
    },
    async close() {
      await load.end()
      await Promise.all(processes.map((each) => each.stop()))
    },
  }
}

async function migrate({ url, versions }: Scene, name: string, sql: string): Promise<void> {
  writeFileSync(join(versions.next, 'migrations', `${name}.sql`), `-- Up Migration\n${sql};\n`)
  const options = { cwd: versions.next, env: { DATABASE_URL: url } }
  const { stdout } = await execute(process.execPath, ['event.mjs', 'migrate'], options)
  check(stdout.includes(`applied ${name}`), `${name} is applied`)
}

/** Dumps again and again, slowly, since a dump locks every table against a change of its columns until it ends. */
function keepDumping(url: string) {
  let dumps = 0
  let isOver = false
  const dump = async () => {
    while (!isOver) {
      const script = 'set -o pipefail; pg_dump -Fp --dbname="$0" | (sleep 2; cat > /dev/null)'
      const [code] = await once(start('bash', ['-c', script, url]), 'exit')
      check(code === 0, 'pg_dump ends with 0')
      dumps++
      await sleep(1000)
    }
  }
  const running = dump()
  return async () => {
    isOver = true
    await running
    return dumps
  }
}

const tally = (answers: readonly Answer[]) => ({
  calls: answers.length,
  '200': answers.filter(({ status }) => status === 200).length,
  '503 that the page repeats': answers.filter(({ status, isExplained }) => status === 503 && isExplained)
    .length,
  'shown to members': answers.filter(isShown).length,
})

/** Upgrades and goes back `times` times. */
async function upgradeAndBack(scene: Scene, origins: readonly string[], times: number) {
  const stage = await open(scene, origins, DRAIN_SECONDS)
  const endDumps = keepDumping(scene.url)
  const seen: Record<'upgrade' | 'migration' | 'back', Answer[]> = { upgrade: [], migration: [], back: [] }
  for (let round = 1; round <= times; round++) {
    const before = stage.load.answers.length
    await migrate(scene, `${1000 + round}_round`, `ALTER TABLE ticket ADD COLUMN round_${round} text`)
    seen.migration.push(...stage.load.answers.slice(before))
    stage.feed()
    seen.upgrade.push(...(await stage.replace(scene.versions.next)))
    stage.feed()
    seen.back.push(...(await stage.replace(scene.versions.current)))
    console.log(
      `${round} of ${times}: ${stage.load.answers.length} calls, ${stage.load.claims.length} claims`,
    )
  }
  const dumps = await endDumps()
  await stage.close()
  console.table(Object.fromEntries(Object.entries(seen).map(([name, answers]) => [name, tally(answers)])))
  const shown = stage.load.answers.filter(isShown)
  const found = contradictions(stage.load.observations, await storedTickets(scene.url), {
    cap: TICKETS_PER_STAGE,
    worth: () => 1,
  })
  console.log({ claims: stage.load.claims.length, dumps, contradictions: found.slice(0, 5) })
  check(dumps > 0 && stage.load.claims.length >= times, 'members claimed, and the database was dumped')
  check(shown.length === 0, `no answer is shown to members: ${JSON.stringify(shown.slice(0, 3))}`)
  check(found.length === 0, `no claim is lost or doubled: ${found.slice(0, 5).join('; ')}`)
  check(await isSound(scene.url), 'event verify holds')
}

/** A proof that could not fail would prove nothing: each of these must show members a failure. */
async function counterProofs(scene: Scene, nginxOrigin: string, useDefaults: () => Promise<void>) {
  const breaking = await open(scene, [nginxOrigin], 0)
  const before = breaking.load.answers.length
  await migrate(scene, '2000_rename.breaking', 'ALTER TABLE ticket RENAME COLUMN voided_at TO void_at')
  await sleep(3000)
  const broken = breaking.load.answers.slice(before).filter(isShown).length
  await breaking.close()
  await migrate(scene, '2001_rename_back.breaking', 'ALTER TABLE ticket RENAME COLUMN void_at TO voided_at')
  cpSync(join(scene.versions.next, 'migrations'), join(scene.versions.current, 'migrations'), {
    recursive: true,
  })
  check(broken > 0, 'a breaking migration is seen')

  await useDefaults()
  const careless = await open(scene, [nginxOrigin], 0)
  await sleep(2000)
  const refused = [
    ...(await careless.replace(scene.versions.next)),
    ...(await careless.replace(scene.versions.next)),
  ]
  await careless.close()
  const shown = refused.filter(isShown).length
  check(shown > 0, "nginx's defaults are seen")
  console.log({ 'shown by a breaking migration': broken, "shown by nginx's defaults": shown })
}

await proof(import.meta.url, { times: 50 }, async ({ times }) => {
  const folder = mkdtempSync(join(tmpdir(), 'anniversary-upgrade-'))
  const postgres = await startPostgres()
  const [first = 0, second = 0, nginxPort = 0, haproxyPort = 0] = await freePorts(4)
  const ports = [first, second]
  const proxies: { kill(): unknown }[] = []
  try {
    const { url } = postgres
    const config = generateNginx(folder, nginxPort, ports)
    for (const name of ['nginx', 'haproxy']) mkdirSync(join(folder, name))
    let nginx = startNginx(join(folder, 'nginx'), config)
    proxies.push({ kill: () => nginx.kill() }, startHaproxy(join(folder, 'haproxy'), haproxyPort, ports))
    const versions = buildVersions(folder)
    const players = await seed(url, PLAYERS_A_ROUND * (2 * times + 5))
    const scene = { folder, url, ports, versions, players }
    const origins = [nginxPort, haproxyPort].map((port) => `http://127.0.0.1:${port}`)
    await upgradeAndBack(scene, origins, times)
    await counterProofs(scene, origins[0] ?? '', async () => {
      const ended = new Promise((done) => nginx.once('exit', done))
      nginx.kill()
      await ended
      nginx = startNginx(join(folder, 'nginx'), withDefaults(config))
    })
  } finally {
    for (const proxy of proxies) proxy.kill()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return `${times} upgrades and ${times} ways back showed members no failure and lost no claim`
})
