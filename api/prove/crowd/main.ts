import { check, proof } from '../report.ts'
import { meet, type Outcome, type Plan } from './model.ts'
import { loadServer } from './server.ts'

const rounded = (row: object) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' ? Math.round(value * 100) / 100 : value,
    ]),
  )

/** Returns a line for each goal that a crowd of the model misses; its seed repeats the run. */
export function missed({ crowd, pages, seed }: Plan, { callsAPage, callsAtOnce, lost }: Outcome): string[] {
  const most = crowd === 'stage' || crowd === 'draw' ? 1.1 : 3
  const name = `${crowd}, ${pages} pages, seed ${seed}`
  return [
    lost > 0 && `${name}: ${lost} pages lost`,
    callsAPage > most && `${name}: ${callsAPage} calls a page`,
    callsAtOnce > 0 && `${name}: ${callsAtOnce} calls in the first second`,
  ].filter((line) => line !== false)
}

await proof(import.meta.url, { seconds: 60, seed: 1 }, async ({ seconds, seed }) => {
  const { rows, health, memory, costs } = await loadServer(seconds)
  console.table(rows.map(rounded))
  const cost = costs.refusal / costs.answer
  console.log(`most memory ${memory} MB; /livez and /healthz: ${health.failed} of ${health.asked} not 200`)
  console.log(`processor: answer ${Math.round(costs.answer * 1e6)} µs, refusal ${cost.toFixed(3)} of it`)
  const inModel = { answer: 1 / (rows[0]?.answers ?? 0), refusal: costs.refusal }
  const runs = [120_000, 500_000, 1_000_000, 2_000_000].flatMap((pages) =>
    (['stage', 'draw', 'restart', 'away'] as const).map((crowd) => {
      const plan: Plan = { crowd, pages, seed, costs: inModel }
      return { plan, outcome: meet(plan) }
    }),
  )
  // The policy of before, with the cost that a refusal had then.
  const slow = { ...inModel, refusal: inModel.answer }
  const before = meet({ crowd: 'stage', pages: 1_000_000, seed, costs: slow, before: true })
  const named = runs.map(({ plan: { crowd, pages }, outcome }) => ({ crowd, pages, ...outcome }))
  console.table([...named, { crowd: 'stage, as before', pages: 1_000_000, ...before }])

  const problems = runs.flatMap(({ plan, outcome }) => missed(plan, outcome))
  for (const [i, least] of [0.7, 0, 0.8, 0.8, 0.7].entries()) {
    const { load = '', ratio = 0, p99 = 0, after = 0 } = rows[i] ?? {}
    if (ratio < least) problems.push(`${load}: ${ratio.toFixed(2)} of the calm answers, not ${least}`)
    if (p99 > 5000) problems.push(`${load}: p99 of ${p99} ms`)
    if (after < 0.8) problems.push(`${load}: ${after.toFixed(2)} of full speed five seconds later`)
  }
  if (cost > 0.1) problems.push(`a refusal costs ${cost.toFixed(2)} of an answer`)
  if (before.lost < 900_000) problems.push('the policy of before no longer collapses in the model')
  check(problems.length === 0, problems.join('\n'))
  return 'admitted calls are finished, and every page is served'
})
