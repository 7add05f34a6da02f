import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newSite, publishTo, recordOf, remoteBuild, shellBuild } from '../../test/fixture-builds.ts'
import { type S3Server, startS3 } from '../../test/s3-server.ts'
import { readAllRecords } from '../site/record.ts'
import { jsonBytes } from '../target/target.ts'
import { freezeSite, switchRemote } from './configure.ts'
import { rollBackSite } from './rollback.ts'
import { repairSite, verifySite } from './verify.ts'

/*
 * DEPLOY_ROUNDS=10 runs ten rounds of twenty publishes instead of one of five,
 * and kills 57 deploys instead of 3.
 */
const ROUNDS = Number(process.env.DEPLOY_ROUNDS ?? 1)
const PUBLISHES = process.env.DEPLOY_ROUNDS ? 20 : 5
const KILLS = process.env.DEPLOY_ROUNDS ? 57 : 3
const DEPLOY = join(import.meta.dirname, '../../bin/deploy.js')
const NAMES = ['mf-auth', 'mf-missions', 'mf-history', 'mf-megalive']

let s3: S3Server
let shell = ''
let builds: string[] = []
beforeAll(async () => {
  s3 = await startS3()
  shell = await shellBuild()
  const exposes = ['./LoginPage', './HomePage']
  builds = await Promise.all(
    Array.from({ length: PUBLISHES }, (_, n) =>
      remoteBuild({ name: NAMES[n % NAMES.length] ?? '', text: `${n}`, exposes }),
    ),
  )
})
afterAll(() => s3.close())

test('publishes of four remotes at once into a bucket all land', async () => {
  expect(ROUNDS).toBeGreaterThan(0)
  for (let round = 0; round < ROUNDS; round++) {
    // Each client is another machine.
    const machine = () => s3.target(`round-${round}/`)
    await publishTo(machine(), shell)
    const outcomes = await Promise.all(builds.map((build) => publishTo(machine(), build)))

    const numbers = outcomes.map(({ record }) => record.number).sort((a, b) => a - b)
    expect(numbers).toEqual(Array.from({ length: PUBLISHES }, (_, n) => n + 2))
    const records = await readAllRecords(machine())
    // Each record changes one remote and keeps the others.
    for (const [n, record] of records.slice(1).entries())
      for (const [name, remote] of Object.entries(records[n]?.remotes ?? {}))
        if (!record.change.packages.includes(name)) expect(record.remotes[name]).toEqual(remote)
    expect(Object.keys(records.at(-1)?.remotes ?? {})).toEqual([...NAMES].sort())
    expect((await verifySite(machine())).problems).toEqual([])
  }
})

const SHARES = process.env.DEPLOY_ROUNDS ? [0.1, 0.3, 0.5] : [0.1]
test.each(SHARES)('a bucket that refuses %d of its calls ends up whole', async (share) => {
  const site = s3.target(`slow-${share}/`)
  await publishTo(site, [shell, ...builds.slice(0, 2)])
  const [one = ''] = await Promise.all([remoteBuild({ text: `slow ${share}` })])
  const changes = [
    () => publishTo(site, one),
    () => switchRemote(site, 'mf-auth', 'off'),
    () => switchRemote(site, 'mf-auth', 'on'),
    () => rollBackSite(site, { name: 'mf-auth' }),
  ]

  s3.refuse(share)
  // Most refused calls succeed when they are repeated. Every second change
  // cannot write this page at all.
  const write = site.write.bind(site)
  let halfMade = 0
  for (const [n, change] of changes.entries()) {
    site.write = (path, bytes) =>
      n % 2 === 1 && path === 'index.html' ? Promise.reject(new Error(path)) : write(path, bytes)
    await change().catch(() => halfMade++)
  }
  s3.refuse(0)
  site.write = write
  expect(halfMade).toBeGreaterThanOrEqual(changes.length / 2)
  expect((await verifySite(site)).problems).not.toEqual([])
  await repairSite(site)
  expect((await verifySite(site)).problems).toEqual([])
})

test('switching a remote off costs a bucket few calls', async () => {
  const site = s3.target('few/')
  await publishTo(site, [shell, ...builds.slice(0, 2)])
  const calls = s3.countCalls()
  await switchRemote(s3.target('few/'), 'mf-auth', 'off')
  const few = s3.countCalls() - calls
  const pages = (await site.list('')).filter((path) => path.endsWith('index.html'))
  // Two lists, both records, the sources, the pointer before and after, and the
  // whole composition.
  expect(few).toBe(pages.length + 8)
})

test('a bucket has no compressed variants', async () => {
  const site = s3.target('variants/')
  await publishTo(site, [shell, builds[0] ?? ''])
  expect((await site.list('')).filter((path) => path.endsWith('.br'))).toEqual([])
})

test('sources of pages may be torn, and false ones are refused', async () => {
  const site = s3.target('sources/')
  await publishTo(site, [shell, ...builds.slice(0, 2)])
  const path = '.deploy/page-sources.json'
  const sources = String(await site.read(path))
  const isOn = async () => (await recordOf(site)).remotes['mf-auth']?.status === 'on'
  const toggle = async () => await switchRemote(site, 'mf-auth', (await isOn()) ? 'off' : 'on')

  for (const torn of ['', sources.slice(0, 99)]) {
    await site.write(path, Buffer.from(torn))
    await toggle()
    expect((await verifySite(site)).problems).toEqual([])
  }
  const forged = Object.entries(JSON.parse(sources)).map(([file, text]) =>
    file.endsWith('build.json') ? [file, text] : [file, `${text}<script>`],
  )
  await site.write(path, jsonBytes(Object.fromEntries(forged)))
  await expect(toggle()).rejects.toThrow(/differs from its hash\. Run `deploy verify --repair`/)
  await repairSite(site)
  await toggle()
  expect((await verifySite(site)).problems).toEqual([])
})

test('a style that is not UTF-8 disturbs no later change', async () => {
  const site = s3.target('latin1/')
  const css = Buffer.from('.mf-auth::after { content: "\xe9" }', 'latin1')
  await publishTo(site, [shell, remoteBuild({ css })])
  await switchRemote(site, 'mf-auth', 'off')
  await switchRemote(site, 'mf-auth', 'on')
  expect((await verifySite(site)).problems).toEqual([])
})

test("a freeze begins by the bucket's clock", async () => {
  const site = s3.target('clock/')
  await publishTo(site, shell)
  s3.setClockAhead(3 * 3_600_000)
  const outcome = await freezeSite(s3.target('clock/'), { from: 'now', except: [] })
  s3.setClockAhead(0)
  const begins = Date.parse(outcome.record.freeze?.from ?? '')
  expect(begins - Date.now()).toBeGreaterThan(2 * 3_600_000)
})

test('a rollback whose answer gets lost is one step', async () => {
  const site = s3.target('lost/')
  await publishTo(site, shell)
  const auth = await Promise.all(['one', 'two', 'three'].map((text) => remoteBuild({ text })))
  for (const build of auth) await publishTo(site, build)
  const { previous } = (await recordOf(site)).remotes['mf-auth'] ?? {}
  s3.loseAnswer('compositions/000005.json')
  const { record } = await rollBackSite(site, { name: 'mf-auth' })
  expect(record.number).toBe(5)
  expect((await recordOf(site)).remotes['mf-auth']?.current).toEqual(previous)
})

test('a failure after the record says what to run', async () => {
  const half = await newSite(shell)
  const write = half.write.bind(half)
  half.write = (path, bytes) =>
    path === 'composition.json' ? Promise.reject(new Error('disk full')) : write(path, bytes)
  await expect(publishTo(half, builds[0] ?? '')).rejects.toThrow(
    /Composition 2 is recorded \(mf-auth 1\.0\.0-\w+\), but not all of its files: disk full.*deploy verify --repair/,
  )
  // The second time nothing is recorded any more.
  await expect(publishTo(half, builds[0] ?? '')).rejects.toThrow(/^disk full$/)
})

test('a change fails only after its last write has ended', async () => {
  const site = await newSite(shell, builds[0] ?? '')
  const write = site.write.bind(site)
  const ended: string[] = []
  site.write = async (path, bytes) => {
    if (path === 'index.html') throw new Error('no answer')
    // As a call of a bucket that is tried again.
    if (path === 'login/index.html') await sleep(100)
    await write(path, bytes)
    ended.push(path)
  }
  await expect(switchRemote(site, 'mf-auth', 'off')).rejects.toThrow(/no answer/)
  expect(ended).toContain('login/index.html')
})

/** Moments after the record: two pages and a composition, all with variants. */
const BEFORE_POINTER = 7

/** Returns a module that kills its process after the record and so many files. */
const killBeforeRename = (files: number) =>
  `data:text/javascript,${encodeURIComponent(`
  import fs from 'node:fs/promises'
  import { syncBuiltinESMExports } from 'node:module'
  const { link, rename } = fs
  let left = Infinity
  fs.link = async (from, to) => {
    await link(from, to)
    if (to.includes('/compositions/')) left = ${files}
  }
  fs.rename = async (from, to) => {
    if (left-- === 0) process.kill(process.pid, 'SIGKILL')
    await rename(from, to)
  }
  syncBuiltinESMExports()`)}`

test('killed publishes and rollbacks leave whole pages', async () => {
  const auth = await Promise.all(['one', 'two'].map((text) => remoteBuild({ text })))
  const target = await newSite(shell, auth[0] ?? '')
  for (let kill = 0; kill < KILLS; kill += 1) {
    const { number } = await recordOf(target)
    const args = kill % 2 === 0 ? ['publish', auth[1] ?? '', '--no-smoke'] : ['rollback', 'mf-auth']
    const program = ['--import', killBeforeRename(kill % BEFORE_POINTER), DEPLOY]
    const child = spawn(process.execPath, [...program, ...args, '--site', target.root], {
      stdio: 'ignore',
    })
    expect(await once(child, 'close')).toEqual([null, 'SIGKILL'])
    expect((await recordOf(target)).number).toBe(number + 1)
    for (const page of ['index.html', 'login/index.html']) {
      const html = String(await target.read(page))
      const urls = [...html.matchAll(/(?:src=|href=|"whole":{"url":)"\/(\w[\w-]*\/[^"]+)"/g)].map(
        ([, url = '']) => url,
      )
      expect(html).toMatch(/<\/html>\n$/)
      expect(urls).toContainEqual(expect.stringMatching(/^composition\//))
      for (const url of urls)
        expect({ page, url, file: await target.read(url) }).not.toHaveProperty('file', null)
    }
    expect((await verifySite(target)).problems).not.toEqual([])
    // The next deploy finishes it.
    if (args[0] === 'publish') await publishTo(target, auth[1] ?? '')
    else await rollBackSite(target, { name: 'mf-auth' }).catch(() => undefined)
    await repairSite(target)
    expect((await verifySite(target)).problems).toEqual([])
    await publishTo(target, auth[0] ?? '')
  }
})
