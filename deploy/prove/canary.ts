import { Command } from 'commander'
import { wholeNumber } from '../src/cli/arguments.ts'
import { type Scenario, type Simulation, simulator } from './simulate-canary.ts'

const command = new Command('prove:canary')
  .description('What the judge of a canary notices, and what it takes for harm that is none')
  .argument('[canaries]', 'simulated, of each kind', wholeNumber, 1000)
  .argument('[views]', 'of each release that a step takes', wholeNumber, 2000)
  .parse()
// As `wholeNumber` gives them.
const [CANARIES, views] = command.processedArgs as [number, number]
const PLAN: Simulation = { steps: [5, 25, 50, 100], views, visitors: 500 }
const MOST_FALSE = 0.05

const rate = (canary: number, current = 0.01) => ({ canary, current })
const SCENARIOS: readonly Scenario[] = [
  { name: 'no effect, errors in 1 % of the views', errorRate: rate(0.01), slower: 1 },
  { name: 'no effect, 3 views a visitor', errorRate: rate(0.01), slower: 1, viewsEach: 3 },
  { name: 'errors twice as often: 2 %', errorRate: rate(0.02), slower: 1 },
  { name: 'errors three times as often: 3 %', errorRate: rate(0.03), slower: 1 },
  { name: 'it throws for everyone', errorRate: rate(1), slower: 1 },
  { name: 'LCP + 10 %', errorRate: rate(0.01), slower: 1.1 },
  { name: 'LCP + 30 %', errorRate: rate(0.01), slower: 1.3 },
]

const quantile = (sorted: readonly number[], q: number): string =>
  sorted.length === 0 ? '-' : (sorted[Math.ceil(q * sorted.length) - 1] ?? 0).toLocaleString('en')

console.log(
  `${CANARIES} canaries each, ${PLAN.steps.join(', ')} %, ${PLAN.views} views of each release a step`,
)
console.log('| canary | rolled back | visitors: median | 90 % | of them with the canary: median | 90 % |')
console.log('|---|---|---|---|---|---|')
for (const scenario of SCENARIOS) {
  const run = simulator(scenario, PLAN)
  const ended = Array.from({ length: CANARIES }, (_, seed) => run(seed + 1)).filter(
    ({ worse }) => worse.length > 0,
  )
  const columns = (['visitors', 'affected'] as const).flatMap((key) => {
    const sorted = ended.map(({ [key]: count }) => count).sort((a, b) => a - b)
    return [quantile(sorted, 0.5), quantile(sorted, 0.9)]
  })
  const share = ended.length / CANARIES
  console.log(`| ${[scenario.name, `${(share * 100).toFixed(1)} %`, ...columns].join(' | ')} |`)
  const isHarmless = scenario.slower === 1 && scenario.errorRate.canary === scenario.errorRate.current
  if (isHarmless && share > MOST_FALSE) process.exitCode = 1
}
