import { type End, type Forged, type Scenario, simulator } from './simulate-canary.ts'

/*
 * What the judge of a canary notices, and what forged reports do to it. `npm run prove:canary` simulates 1,000 canaries
 * of each kind, or as many as CANARIES says, and prints a table. The seeds are fixed, so each run is the same.
 */

const isProof = process.env.CANARIES !== undefined
const CANARIES = Number(process.env.CANARIES ?? 20)
const VISITORS = 500
const PLAN = {
  steps: [5, 25, 50, 100],
  views: Number(process.env.VIEWS ?? 2000),
  visitors: VISITORS,
  looks: 300,
}

/** Views that the API counts of an address in a minute (api/src/routes/reports.ts). */
const A_MINUTE = 6
const views = (addresses: number) => addresses * A_MINUTE
const HARM = { canary: { threw: 0.3 } }

const badCurrent = (addresses: number) => (): Forged => ({
  canary: 0,
  current: views(addresses),
  threw: { current: views(addresses) },
})
const cleanCanary = (addresses: number) => (): Forged => ({ canary: views(addresses), current: 0, threw: {} })
const both = (addresses: number) => (): Forged => ({
  canary: views(addresses) / 2,
  current: views(addresses) / 2,
  threw: { current: views(addresses) / 2 },
})
/** As many clean views of the canary, and as many bad ones of the current release, as the judge does not hold for. */
const careful =
  (addresses: number, threw: number) =>
  (percent: number): Forged => {
    const all = views(addresses)
    const share = percent / 100
    const canary = Math.min(all, Math.floor(1.3 * share * (VISITORS + all) - share * VISITORS))
    const current = all - canary
    const own = VISITORS * (1 - share)
    return {
      canary,
      current,
      threw: { current: Math.min(current, Math.floor(threw * (own + current) - 0.01 * own)) },
    }
  }

const SCENARIOS: Record<
  string,
  Scenario & { readonly ends?: 'rarely' | 'mostly'; readonly neverPromoted?: true }
> = {
  'no effect': { ends: 'rarely' },
  'no effect, 3 views a visitor': { viewsEach: 3, ends: 'rarely' },
  'throws twice as often: 2 %': { canary: { threw: 0.02 } },
  'throws three times as often: 3 %': { canary: { threw: 0.03 }, ends: 'mostly' },
  'throws in 30 %': { ...HARM, ends: 'mostly', neverPromoted: true },
  'paints late in 14 %, not 11 %': { canary: { paintedLate: 0.14 } },
  'paints late in 22 %, not 11 %': { canary: { paintedLate: 0.22 }, ends: 'mostly' },
  '3 %; at first only the current release throws, in 30 %': {
    canary: { threw: 0.03 },
    incident: 0.3,
    ends: 'mostly',
  },
  '30 %; 20 addresses: current throws': { ...HARM, forge: badCurrent(20), neverPromoted: true },
  '30 %; 20 addresses: canary is well': { ...HARM, forge: cleanCanary(20), neverPromoted: true },
  '30 %; 20 addresses: both': { ...HARM, forge: both(20), neverPromoted: true },
  '30 %; 200 addresses: current throws': { ...HARM, forge: badCurrent(200), neverPromoted: true },
  '30 %; 200 addresses: canary is well': { ...HARM, forge: cleanCanary(200), neverPromoted: true },
  '30 %; 200 addresses: both': { ...HARM, forge: both(200), neverPromoted: true },
  '30 %; 20 addresses, careful': { ...HARM, forge: careful(20, 0.02), neverPromoted: true },
  '30 %; 200 addresses, careful': { ...HARM, forge: careful(200, 0.02), neverPromoted: true },
  '30 %; 100 addresses, careful, since a day': {
    ...HARM,
    forge: careful(100, 0.045),
    dayBefore: 0.045,
    neverPromoted: true,
  },
  '30 %; 400 addresses, careful, since a day': { ...HARM, forge: careful(400, 0.045), dayBefore: 0.045 },
  'no effect; 2 addresses: canary throws': {
    forge: () => ({ canary: 12, current: 0, threw: { canary: 12 } }),
  },
}

const rows: Record<string, object> = {}
if (isProof) afterAll(() => console.table(rows))

test.each(Object.entries(SCENARIOS))(
  '%s',
  (name, { ends, neverPromoted, ...scenario }) => {
    const run = simulator(scenario, PLAN)
    const all = Array.from({ length: CANARIES }, (_, seed) => run(seed + 1))
    const ended = all.filter(({ verdict }) => verdict === 'ended')
    const share = (verdict: End['verdict']) => all.filter((end) => end.verdict === verdict).length / CANARIES
    const quantile = (q: number, key: 'visitors' | 'affected') =>
      ended.map((end) => end[key]).sort((a, b) => a - b)[Math.ceil(q * ended.length) - 1]
    const percent = (verdict: End['verdict']) => `${(share(verdict) * 100).toFixed(1)} %`
    rows[name] = {
      ended: percent('ended'),
      promoted: percent('promoted'),
      stays: percent('stays'),
      'visitors: median': quantile(0.5, 'visitors'),
      '90 %': quantile(0.9, 'visitors'),
      'with the canary: median': quantile(0.5, 'affected'),
      '90 % of them': quantile(0.9, 'affected'),
    }
    // The long proof takes minutes, and Jest prints nothing before its end.
    if (isProof) process.stderr.write(`${name}: ${JSON.stringify(rows[name])}\n`)
    if (ends === 'rarely') expect(share('ended')).toBeLessThanOrEqual(0.05)
    if (ends === 'mostly') expect(share('ended')).toBeGreaterThanOrEqual(0.9)
    if (neverPromoted) expect(share('promoted')).toBe(0)
  },
  3_600_000,
)
