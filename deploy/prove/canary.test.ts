import { type Scenario, simulator } from './simulate-canary.ts'

/*
 * What the judge of a canary notices, and what it takes for harm that is none. `npm run prove:canary` simulates 1,000
 * canaries of each kind and steps of 2,000 views, or as many as CANARIES and VIEWS say, and prints a table. The seeds are
 * fixed, so each run is the same.
 */

const isProof = process.env.CANARIES !== undefined
const CANARIES = Number(process.env.CANARIES ?? 20)
const PLAN = { steps: [5, 25, 50, 100], views: Number(process.env.VIEWS ?? 500), visitors: 500 }

/** `noticed`: what ends nine of ten. Absent: between chance and that. */
const SCENARIOS: Record<string, Scenario & { readonly noticed?: 'nothing' | 'errors' | 'lcp' }> = {
  'no effect, errors in 1 % of the views': { errors: 0.01, noticed: 'nothing' },
  'no effect, 3 views a visitor': { errors: 0.01, viewsEach: 3, noticed: 'nothing' },
  'errors twice as often: 2 %': { errors: 0.02 },
  'errors three times as often: 3 %': { errors: 0.03 },
  'it throws for everyone': { errors: 1, noticed: 'errors' },
  'LCP + 10 %': { errors: 0.01, slower: 1.1 },
  'LCP + 30 %': { errors: 0.01, slower: 1.3, noticed: 'lcp' },
}

const rows: Record<string, object> = {}
if (isProof) afterAll(() => console.table(rows))

test.each(Object.entries(SCENARIOS))(
  '%s',
  (name, { noticed, ...scenario }) => {
    const run = simulator(scenario, PLAN)
    const ended = Array.from({ length: CANARIES }, (_, seed) => run(seed + 1)).filter(
      ({ worse }) => worse.length > 0,
    )
    const quantile = (q: number, key: 'visitors' | 'affected') =>
      ended.map((end) => end[key]).sort((a, b) => a - b)[Math.ceil(q * ended.length) - 1]
    const share = ended.length / CANARIES
    const rolledBack = `${(share * 100).toFixed(1)} %`
    // The long proof takes minutes, and Jest prints nothing before its end.
    if (isProof) process.stderr.write(`${name}: ${rolledBack} rolled back\n`)
    rows[name] = {
      'rolled back': rolledBack,
      'visitors: median': quantile(0.5, 'visitors'),
      '90 %': quantile(0.9, 'visitors'),
      'with the canary: median': quantile(0.5, 'affected'),
      '90 % of them': quantile(0.9, 'affected'),
    }
    if (noticed === 'nothing') expect(share).toBeLessThanOrEqual(0.05)
    else if (noticed) {
      expect(share).toBeGreaterThanOrEqual(0.9)
      expect(new Set(ended.flatMap(({ worse }) => worse))).toEqual(new Set([noticed]))
    }
  },
  3_600_000,
)
