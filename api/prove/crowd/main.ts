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
export function missed(
  { crowd, pages, seed }: Plan,
  { callsAPage, callsAtOnce, lost }: Outcome,
): string[] {
  const most = crowd === 'stage' || crowd === 'draw' ? 1.1 : 3
  const name = `${crowd}, ${pages} pages, seed ${seed}`
  return [
    lost > 0 && `${name}: ${lost} pages lost`,
    callsAPage > most && `${name}: ${callsAPage} calls a page`,
    callsAtOnce > 0 && `${name}: ${callsAtOnce} calls in the first second`,
  ].filter((line) => line !== false)
}

/** A figure that the proof has to show. One that was not measured is missed. */
interface Goal {
  readonly figure: string
  readonly value: number
  readonly least?: number
  readonly most?: number
}
const isMissed = ({ value, least = 0, most = Number.POSITIVE_INFINITY }: Goal) =>
  !(value >= least && value <= most)

await proof(import.meta.url, { seconds: 60, seed: 1 }, async ({ seconds, seed }) => {
  const { rows, health, memory, costs } = await loadServer(seconds)
  console.table(rows.map(rounded))
  console.log(`processor: an answer takes ${Math.round(costs.answer * 1e6)} µs`)
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
  // Its pages come in the first second, so that it has no goals.
  const rush = meet({ crowd: 'rush', pages: 1_000_000, seed, costs: inModel })
  const named = runs.map(({ plan: { crowd, pages }, outcome }) => ({ crowd, pages, ...outcome }))
  const others = [
    { crowd: 'all opened within 20 s', pages: 1_000_000, ...rush },
    { crowd: 'the same as before', pages: 1_000_000, ...before },
  ]
  console.table([...named, ...others])

  const least = [0.7, 0, 0.8, 0.8, 0.7]
  const goals: Goal[] = least.flatMap((least, i) => {
    const { load, ratio, p99, after } = rows[i] ?? { load: `load ${i}` }
    return [
      { figure: `${load}: answers beside calm`, value: ratio ?? Number.NaN, least },
      { figure: `${load}: p99 in ms`, value: p99 ?? Number.NaN, most: 5000 },
      { figure: `${load}: full speed five seconds later`, value: after ?? Number.NaN, least: 0.8 },
    ]
  })
  goals.push(
    { figure: 'refusal beside an answer', value: costs.refusal / costs.answer, most: 0.1 },
    { figure: 'most memory in MB', value: memory, most: 700 },
    { figure: `/livez and /healthz of ${health.asked} not 200`, value: health.failed, most: 0 },
    { figure: 'pages that the policy of before loses', value: before.lost, least: 900_000 },
  )
  console.table(goals.map((goal) => rounded({ ...goal, met: isMissed(goal) ? 'NO' : 'yes' })))
  const problems = runs.flatMap(({ plan, outcome }) => missed(plan, outcome))
  for (const goal of goals.filter(isMissed)) problems.push(`${goal.figure}: ${goal.value}`)
  check(problems.length === 0, problems.join('\n'))
  return 'admitted calls are finished, and every page is served'
})
