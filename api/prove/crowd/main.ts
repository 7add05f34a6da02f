import { check, proof } from '../report.ts'
import { meet, type Plan } from './model.ts'
import { loadServer } from './server.ts'

const rounded = (row: object) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' ? Math.round(value * 100) / 100 : value,
    ]),
  )

/** Holds a crowd of the model against the goals. @returns a line for each goal that is missed */
export function missed({ crowd, ...plan }: Plan): string[] {
  const { callsAPage, callsAtOnce, lost } = meet({ crowd, ...plan })
  const most = crowd === 'stage' || crowd === 'draw' ? 1.1 : 3
  const name = `${crowd}, ${plan.pages} pages, seed ${plan.seed}`
  return [
    lost > 0 && `${name}: ${lost} pages lost`,
    callsAPage > most && `${name}: ${callsAPage} calls a page`,
    callsAtOnce > 0 && `${name}: ${callsAtOnce} calls in the first second`,
  ].filter((line) => line !== false)
}

/** The seed of a run repeats its figures. */
await proof(import.meta.url, { seconds: 60, seed: 1 }, async ({ seconds, seed }) => {
  const { rows, health, memory, costs } = await loadServer(seconds)
  console.table(rows.map(rounded))
  const cost = costs.refusal / costs.answer
  console.log(`most memory ${memory} MB; /livez and /healthz: ${health.failed} of ${health.asked} not 200`)
  console.log(`processor: answer ${Math.round(costs.answer * 1e6)} µs, refusal ${cost.toFixed(3)} of it`)
  const plans = ([120_000, 500_000, 1_000_000, 2_000_000] as const).flatMap((pages) =>
    (['stage', 'draw', 'restart', 'away'] as const).map((crowd): Plan => ({ crowd, pages, seed, costs })),
  )
  const before: Plan = {
    crowd: 'stage',
    pages: 1_000_000,
    seed,
    costs: { ...costs, refusal: costs.answer },
    before: true,
  }
  const shown = (plan: Plan) => ({ crowd: plan.crowd, pages: plan.pages, ...meet(plan) })
  console.table([...plans.map(shown), { ...shown(before), crowd: 'stage, as before' }])

  const problems = plans.flatMap(missed)
  for (const [i, least] of [0.7, 0, 0.8, 0.8, 0.7].entries()) {
    const { load = '', ratio = 0, p99 = 0, after = 0 } = rows[i] ?? {}
    if (ratio < least) problems.push(`${load}: ${ratio.toFixed(2)} of the calm answers, not ${least}`)
    if (p99 > 5000) problems.push(`${load}: p99 of ${p99} ms`)
    if (after < 0.8) problems.push(`${load}: ${after.toFixed(2)} of full speed five seconds later`)
  }
  if (cost > 0.1) problems.push(`a refusal costs ${cost.toFixed(2)} of an answer`)
  if (meet(before).lost < 900_000) problems.push('the policy of before no longer collapses in the model')
  check(problems.length === 0, problems.join('\n'))
  return 'admitted calls are finished, and every page is served'
})
