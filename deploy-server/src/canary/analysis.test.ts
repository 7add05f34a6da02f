import { text } from 'node:stream/consumers'
import { Rejected } from '@anniversary/deploy/rejected'
import { direct } from '@anniversary/deploy/site/context'
import type { FileTarget } from '@anniversary/deploy/target/file-target'
import {
  newSite,
  recordOf,
  remoteBuild,
  serve,
  shellBuild,
} from '@anniversary/deploy/test/fixture-builds'
import { changeCanary, startCanary } from '@anniversary/deploy/verbs/canary'
import { switchRemote } from '@anniversary/deploy/verbs/configure'
import { publish } from '@anniversary/deploy/verbs/publish'
import type { VersionCounts } from '@anniversary/shared/contract/report'
import { run } from '../../test/run.ts'
import { NO_COUNTS } from '../canary/comparison.ts'
import { allPlans, type Plan, writePlan } from '../canary/plan.ts'
import { analyseCanaries, analyseCanary, planCanary } from './analysis.ts'

const MINUTE = 60_000
const PLAN = { steps: [5, 50, 100], every: 10 * MINUTE, views: 1000 }

let target: FileTarget
let canary: string
let current: string
/** What the API has counted, by version; and what happens when it is asked. */
let counted: Record<string, VersionCounts>
let onAsked: () => Promise<unknown>
let time: number

const remote = async () => (await recordOf(target)).remotes['mf-auth']
function views(version: string, n: number, threw = 0, remote = 'mf-auth'): void {
  const before = counted[version] ?? NO_COUNTS
  counted[version] = {
    ...before,
    remote,
    version,
    views: before.views + n,
    threw: before.threw + threw,
  }
}
async function planOf(): Promise<Plan> {
  const [plan] = await allPlans(target)
  if (!plan) throw new Error('no plan')
  return plan
}
const comparisonOf = ({ comparison }: Plan) => comparison
/** Runs the analysis after so many minutes. */
async function analyse(minutes: number) {
  time += minutes * MINUTE
  return await analyseCanary(direct(target), await planOf(), new Date(time))
}

beforeEach(async () => {
  target = await newSite(await shellBuild(), await remoteBuild())
  await startCanary(direct(target), await remoteBuild({ text: 'canary' }), 5)
  const { current: now, canary: started } = (await remote()) ?? {}
  current = now?.version ?? ''
  canary = started?.release.version ?? ''
  counted = {}
  onAsked = async () => undefined
  process.env.DEPLOY_REPORTS = await serve(async (_request, response) => {
    await onAsked()
    response.end(JSON.stringify({ data: Object.values(counted) }))
  })
  time = Date.now()
  // Views from before are not compared.
  views(canary, 500, 500)
  views(current, 5000, 50)
  await planCanary(direct(target), 'mf-auth', PLAN, new Date(time))
})

test('a harmless canary grows to everyone in steps', async () => {
  views(canary, 1000, 10)
  views(current, 20_000, 200)
  expect(await analyse(9)).toBe('waits')
  expect(await analyse(1)).toBe('grows')
  expect((await remote())?.canary?.percent).toBe(50)
  // Good views of the past do not offset later harm.
  expect(Math.min(...(comparisonOf(await planOf()).evidence.flat() ?? []))).toBe(0)
  // The views of the step before do not count for the next one.
  views(canary, 999)
  views(current, 999)
  expect(await analyse(60)).toBe('waits')
  views(canary, 1)
  views(current, 200)
  expect(await analyse(0)).toBe('promoted')
  expect(await remote()).toMatchObject({
    current: { version: canary },
    previous: { version: current },
  })
  expect((await recordOf(target)).change).toMatchObject({
    verb: 'analysis',
    packages: ['mf-auth'],
    summary: `mf-auth ${current} → ${canary}, no harm so far`,
  })
  expect(await allPlans(target)).toEqual([])
})

test('a canary that throws is ended, with figures in its record', async () => {
  views(canary, 100, 20)
  views(current, 2000, 20)
  expect(await analyse(1)).toBe('ended')
  expect(await remote()).not.toHaveProperty('canary')
  const { change } = await recordOf(target)
  expect(change.summary).toBe(
    `mf-auth canary ${canary} stopped: threw in 20 % of 100 views, current 1.0 % of 2000`,
  )
  expect((await run('history', '--site', target.root)).out).toContain('stopped: threw in 20 %')
  expect(await allPlans(target)).toEqual([])
})

test('a canary that mostly throws ends without current views', async () => {
  for (let n = 0; n < 30; n++) {
    views(canary, 1, 1)
    if ((await analyse(1)) === 'ended') return
    expect(comparisonOf(await planOf()).stepViews).toEqual({ canary: 0, current: 0 })
  }
  throw new Error('All views of the canary threw, and it goes on')
})

test('an incident of the current release holds the canary', async () => {
  views(canary, 1000)
  views(current, 19_000, 1500)
  expect(await analyse(10)).toBe('holds')
  expect(comparisonOf(await planOf())).toMatchObject({
    stepViews: { canary: 0 },
    holds: 'the current release threw in 7.9 % of 19000 views, on the day before in 1.0 % of 5000',
  })
  expect((await run('status', '--site', target.root)).out).toContain(
    'the canary holds at 5 %: the current release threw in 7.9 %',
  )
  // The held views are no evidence for the canary either.
  views(canary, 500, 40)
  views(current, 9500, 95)
  expect(await analyse(10)).toBe('ended')
})

test('too many views of the canary hold it', async () => {
  views(canary, 1000)
  views(current, 2000, 20)
  expect(await analyse(10)).toBe('holds')
  const why = '33 % of the views are of the canary, which 5 % of the visitors have'
  expect(comparisonOf(await planOf()).holds).toBe(why)
})

test('status says when nobody has compared a canary for minutes', async () => {
  const status = async () => (await run('status', '--site', target.root)).out
  expect(await status()).toMatch(/mf-auth: the canary goes on to 50, 100 %, compared now/)
  expect(await status()).not.toMatch(/Nobody/)
  const long = new Date(time - 4 * MINUTE).toISOString()
  await writePlan(target, { ...(await planOf()), comparedAt: long })
  expect(await status()).toMatch(/Nobody has compared it for minutes/)
  await analyse(0)
  expect(await status()).not.toMatch(/Nobody/)
})

describe('who changes a canary by hand takes it over', () => {
  const changes: [what: string, change: () => Promise<unknown>][] = [
    ['another share', () => changeCanary(direct(target), 'mf-auth', 1)],
    ['a stop', () => changeCanary(direct(target), 'mf-auth', 'nobody')],
    [
      'another release to compare with',
      async () => publish(direct(target), [await remoteBuild({ text: 'fix' })]),
    ],
  ]
  test.each(changes)('%s, before a look and during one', async (_what, change) => {
    views(canary, 1000)
    views(current, 19_000)
    const plan = await planOf()
    onAsked = change
    await expect(analyse(11)).rejects.toThrow(/changed by hand/)
    onAsked = async () => undefined
    expect((await remote())?.canary?.percent).not.toBe(50)
    await writePlan(target, plan)
    await expect(analyse(1)).rejects.toThrow(Rejected)
    expect(await allPlans(target)).toEqual([])
  })
})

test('the webhook hears of canaries and rollbacks; its failure warns', async () => {
  const told: string[] = []
  process.env.DEPLOY_WEBHOOK = await serve(async (request, response) => {
    told.push(JSON.parse(await text(request)).text)
    response.statusCode = told.length === 1 ? 500 : 200
    response.end()
  })
  const { warnings } = await switchRemote(direct(target), 'mf-auth', 'off')
  expect(warnings).toEqual(['DEPLOY_WEBHOOK answered 500'])
  await switchRemote(direct(target), 'mf-auth', 'on')
  views(canary, 1000)
  views(current, 19_000, 1500)
  await analyse(10)
  await analyse(1)
  views(canary, 100, 100)
  await analyse(1)
  await run('rollback', '--dry-run', '--site', target.root)
  expect(told).toEqual([
    expect.stringMatching(/^file:\S+ 3: mf-auth off \(disable by \S+\)$/),
    expect.stringMatching(/mf-auth on/),
    expect.stringMatching(/^mf-auth: the canary holds at 5 %: the current release threw/),
    expect.stringMatching(/stopped: threw in 9.* \(canary stop by/),
  ])
})

test.each(['hooks.example/services/SECRET', 'http://127.0.0.1:1/services/SECRET'])(
  'a webhook at %s that fails is warned of without its address',
  async (address) => {
    process.env.DEPLOY_WEBHOOK = address
    const { warnings } = await switchRemote(direct(target), 'mf-auth', 'off')
    expect(warnings).toEqual([expect.stringMatching(/^DEPLOY_WEBHOOK does not answer \([\w ]+\)$/)])
    const started = await run('server', '--site', target.root, '--access', '/nowhere')
    expect(started.err).not.toContain('SECRET')
  },
)

test('`canary auto` says what it takes, and starts what the server analyses', async () => {
  await changeCanary(direct(target), 'mf-auth', 'nobody')
  const build = await remoteBuild({ text: 'canary' })
  const here = (...args: string[]) => run('canary', ...args, '--site', target.root)
  expect(await here('auto', 'mf-auth', '--steps', '100')).toMatchObject({ code: 1 })
  await here('start', build, '--percent', '5', '--no-smoke')
  expect((await here('auto', 'mf-auth', '--steps', '100')).out).toMatch(
    /^mf-auth needs 40000 views of mf-auth: 7\.3 days like the last\n/,
  )
  views(canary, 20, 20)
  views(current, 1000)
  await analyseCanaries(target)
  expect((await recordOf(target)).change).toMatchObject({
    by: 'deploy server',
    summary: expect.stringMatching(/stopped: threw in 100 %/),
  })
  process.env.DEPLOY_REPORTS = 'http://127.0.0.1:1'
  await here('start', build, '--percent', '20', '--no-smoke')
  expect((await here('auto', 'mf-auth', '--steps', '100')).code).toBe(1)
})
