import type { Counts, VersionCounts } from '@anniversary/shared/contract/report'
import { newSite, recordOf, remoteBuild, shellBuild } from '../../test/fixture-builds.ts'
import { run } from '../../test/run.ts'
import { type Plan, readPlan, writePlan } from '../canary/plan.ts'
import { Rejected } from '../rejected.ts'
import { listen } from '../serve/server.ts'
import type { FileTarget } from '../target/file-target.ts'
import { resizeCanary, startCanary, stopCanary } from './canary.ts'
import { evaluateCanary, planCanary } from './judge.ts'
import { publish } from './publish.ts'
import { removeRemote, switchRemote } from './switch.ts'

const MINUTE = 60_000
const PLAN = { steps: [5, 50, 100], every: 10 * MINUTE, views: 1000 }

let target: FileTarget
let canary: string
let current: string
/** What the API has counted, by version. */
let counted: Record<string, Counts>
let time: number

const remote = async () => (await recordOf(target)).remotes['mf-auth']
const counts = async (): Promise<VersionCounts[]> =>
  Object.entries(counted).map(([version, counts]) => ({ remote: 'mf-auth', version, ...counts }))
function views(version: string, n: number, threw = 0): void {
  const before = counted[version] ?? { views: 0, threw: 0, failed: 0, paintedLate: 0, answeredLate: 0 }
  counted[version] = { ...before, views: before.views + n, threw: before.threw + threw }
}
async function planOf(): Promise<Plan> {
  const plan = await readPlan(target, ['mf-auth'])
  if (!plan) throw new Error('no plan')
  return plan
}
const comparisonOf = ({ remotes }: Plan) => remotes['mf-auth']?.comparison
/** Judges after so many minutes. */
async function judge(minutes: number) {
  time += minutes * MINUTE
  return await evaluateCanary(target, 'mf-auth', counts, new Date(time))
}

beforeEach(async () => {
  target = await newSite(await shellBuild(), await remoteBuild())
  await startCanary(target, [await remoteBuild({ text: 'canary' })], 5)
  const { current: now, canary: started } = (await remote()) ?? {}
  current = now?.version ?? ''
  canary = started?.release.version ?? ''
  counted = {}
  time = Date.now()
  // Of before: not compared.
  views(canary, 500, 500)
  views(current, 5000, 50)
  await planCanary(target, 'mf-auth', counts, PLAN, new Date(time))
})

test('a canary without harm goes on when a step has taken its time and its views, and to everyone at last', async () => {
  views(canary, 1000, 10)
  views(current, 20_000, 200)
  expect(await judge(9)).toMatchObject({ verdict: 'waits', plan: { percent: 5 } })
  expect(await judge(1)).toMatchObject({ verdict: 'grows', plan: { percent: 50 } })
  expect((await remote())?.canary?.percent).toBe(50)
  // The views of the step before do not count for the next one.
  views(canary, 999)
  views(current, 999)
  expect((await judge(60)).verdict).toBe('waits')
  views(canary, 1)
  views(current, 200)
  expect((await judge(0)).verdict).toBe('promoted')
  expect(await remote()).toMatchObject({ current: { version: canary }, previous: { version: current } })
  expect((await recordOf(target)).change).toMatchObject({
    verb: 'judge',
    packages: ['mf-auth'],
    summary: `mf-auth ${current} → ${canary}, no harm in its canary`,
    judgement: { 'mf-auth': { canary: { views: 2000, threw: 10 }, current: { views: 21_199, threw: 200 } } },
  })
  expect(await readPlan(target, ['mf-auth'])).toBeNull()
})

test('a canary that throws is ended at once, and its record says why, with the figures', async () => {
  views(canary, 100, 20)
  views(current, 2000, 20)
  expect((await judge(1)).verdict).toBe('ended')
  expect(await remote()).not.toHaveProperty('canary')
  const { change } = await recordOf(target)
  expect(change.summary).toBe(
    `mf-auth canary ${canary} ended: mf-auth threw in 20 % of 100 views, current 1.0 % of 2000`,
  )
  expect(change.judgement).toMatchObject({
    'mf-auth': { canary: { views: 100, threw: 20 }, current: { views: 2000 } },
  })
  expect((await run('history', '--site', target.root)).out).toContain('ended: mf-auth threw in 20 %')
  await expect(judge(1)).rejects.toThrow(/no canary/)
})

test('a canary that throws in most of its views ends without waiting for views of the current release', async () => {
  for (let n = 0; n < 30; n++) {
    views(canary, 1, 1)
    const { verdict, plan } = await judge(1)
    expect(comparisonOf(plan)?.stepViews).toEqual({ canary: 0, current: 0 })
    if (verdict === 'ended') return
  }
  throw new Error('All views of the canary threw, and it goes on')
})

test('an incident of the current release is no argument for the canary: the judge holds, and says so', async () => {
  views(canary, 1000)
  views(current, 19_000, 1500)
  const held = await judge(10)
  expect(held).toMatchObject({
    verdict: 'holds',
    plan: { percent: 5, remotes: { 'mf-auth': { comparison: { stepViews: { canary: 0 } } } } },
  })
  expect(comparisonOf(held.plan)?.holds).toBe(
    'the current release threw in 7.9 % of 19000 views, on the day before in 1.0 % of 5000',
  )
  expect((await run('status', '--site', target.root)).out).toContain(
    'the canary holds at 5 %: mf-auth: the current release threw in 7.9 %',
  )
  // It was no evidence for the canary either.
  views(canary, 500, 40)
  views(current, 9500, 95)
  expect((await judge(10)).verdict).toBe('ended')
})

test('more views of the canary than its visitors can send prove nothing', async () => {
  views(canary, 1000)
  views(current, 2000, 20)
  expect(await judge(10)).toMatchObject({
    verdict: 'holds',
    plan: {
      remotes: {
        'mf-auth': {
          comparison: { holds: '33 % of the views are of the canary, which 5 % of the visitors have' },
        },
      },
    },
  })
})

test('a good past does not pay for harm to come', async () => {
  views(canary, 1000)
  views(current, 20_000, 200)
  expect(await judge(10)).toMatchObject({ verdict: 'grows', plan: { percent: 50 } })
  expect(Math.min(...(comparisonOf(await planOf())?.evidence.flat() ?? []))).toBe(0)
})

test('a judge that was killed leaves the share as it is; status says so, and another one goes on', async () => {
  const status = async () => (await run('status', '--site', target.root)).out
  expect(await status()).toMatch(/mf-auth: the canary goes on to 50, 100 %, judged now/)
  expect(await status()).not.toMatch(/Nobody/)
  // Killed after it wrote the record of a step, before its plan.
  views(canary, 1000)
  views(current, 1000)
  await resizeCanary(target, 'mf-auth', 50)
  const plan = await planOf()
  const long = new Date(time - 40 * MINUTE).toISOString()
  await writePlan(target, { ...plan, stepAt: long, judgedAt: long })
  expect(await status()).toMatch(/Nobody has judged it since.*: deploy canary mf-auth --judge\n/)
  expect((await remote())?.canary?.percent).toBe(50)
  // The views may be of the step before: they are compared, but do not take the canary further.
  expect(await judge(0)).toMatchObject({
    verdict: 'waits',
    plan: { percent: 50, remotes: { 'mf-auth': { comparison: { stepViews: { canary: 0 } } } } },
    judgement: { 'mf-auth': { canary: { views: 1000 } } },
  })
  expect(await status()).not.toMatch(/Nobody/)
})

test('what people do meanwhile holds', async () => {
  views(canary, 1000)
  views(current, 19_000)
  // Between the look at the canary and the change of its share.
  const stopped = evaluateCanary(
    target,
    'mf-auth',
    async () => {
      await resizeCanary(target, 'mf-auth', 1)
      return await counts()
    },
    new Date(time + 11 * MINUTE),
  )
  await expect(stopped).rejects.toThrow(/changed meanwhile.*for 1 %/)
  expect(await judge(12)).toMatchObject({ verdict: 'waits', plan: { percent: 1 } })

  // Another release to compare with: the comparison begins anew.
  await publish(target, [await remoteBuild({ text: 'fix' })])
  expect(await judge(12)).toMatchObject({
    verdict: 'waits',
    judgement: { 'mf-auth': { canary: { views: 0 } } },
  })

  // Another release of this tool may have written it.
  await target.write('.deploy/canaries/mf-auth.json', Buffer.from('{"version":"2"}'))
  await expect(judge(1)).rejects.toThrow(/nobody said how/)
  await stopCanary(target, 'mf-auth')
  await expect(judge(1)).rejects.toThrow(/no canary/)
  await startCanary(target, [await remoteBuild({ text: 'another' })], 5)
  await expect(judge(1)).rejects.toThrow(/nobody said how/)
  await switchRemote(target, 'mf-auth', 'off')
  await removeRemote(target, 'mf-auth')
  // As a process it would try again after another error.
  await expect(judge(1)).rejects.toThrow(Rejected)
})

test('from the command line: in calls, with the exit code of a pipeline; none starts that nobody could judge', async () => {
  await stopCanary(target, 'mf-auth')
  let asked = 0
  let onAsked: ((n: number) => void) | undefined
  const api = await listen('127.0.0.1', 0)
  api.open(async (_request, response) => {
    onAsked?.(++asked)
    if (asked === 3) response.statusCode = 500
    response.end(JSON.stringify({ status_code: 200, data: await counts() }))
  })
  const deploy = (...args: string[]) =>
    run('canary', ...args, '--site', target.root, '--reports', `http://127.0.0.1:${api.port}/api/reports`)
  const start = [await remoteBuild({ text: 'canary' }), '--auto', '5,100', '--every', '1s', '--no-smoke']
  try {
    expect(await deploy(...start, '--judge')).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /for 5 %[\s\S]*goes on to 100 %[\s\S]*: 0 views[\s\S]*a step takes 2000 of each/,
      ),
    })
    views(canary, 100, 20)
    views(current, 2000, 20)
    const { code, out } = await deploy('mf-auth', '--judge', '--json')
    expect([code, JSON.parse(out)]).toMatchObject([1, { ok: false, verdict: 'ended', percent: 5 }])

    // As a process: it counts from the second answer, and looks again after the third.
    asked = 0
    onAsked = (n) => {
      if (n > 2) views(canary, 20, 20)
      if (n > 2) views(current, 1000)
    }
    expect(await deploy(...start)).toMatchObject({
      code: 1,
      out: expect.stringMatching(/ended: mf-auth threw in 100 %/),
    })
  } finally {
    await api.close()
  }
  expect((await deploy(...start)).code).toBe(1)
  expect(await remote()).not.toHaveProperty('canary')
})
