import { FACTS } from '@anniversary/shared/contract/report'
import { randomFrom } from '@anniversary/shared/testing/random'
import { beginComparison, beginStep, compare, NO_COUNTS } from '../src/canary/comparison.ts'
import { nextStep } from '../src/canary/plan.ts'

/*
 * What canary analysis notices, and what forged reports do to it: simulated visitors and forgers, the real analysis.
 * `npm run prove -- canary` simulates 1,000 canaries of each kind and prints a table. The seeds are fixed.
 */

const isProof = process.env.CANARIES !== undefined
const CANARIES = Number(process.env.CANARIES ?? 20)
const VIEWS = Number(process.env.VIEWS ?? 2000)
const STEPS = [5, 25, 50, 100]
/** Visitors of a minute, after which the analysis runs. */
const VISITORS = 500
const LOOKS = 300
/** Shares of the current release's views, and their number on the day before. */
const USUAL = { threw: 0.01, failed: 0.005, paintedLate: 0.11, answeredLate: 0.05 }
const DAY = 20_000
const INCIDENT_VIEWS = 5000

/** Views that are forged in a minute; of the current release's, `threw` threw. */
interface Forged {
  readonly canary: number
  readonly current: number
  readonly threw?: number
}
interface Scenario {
  /** Shares of the canary's views, where they differ. */
  readonly canary?: Partial<typeof USUAL>
  /** Views of each visitor, who has one phone: what goes wrong recurs. */
  readonly viewsEach?: number
  /** Share of the current release's first views that threw. */
  readonly incident?: number
  /** Share of the views of the day before that threw, forged ones among them. */
  readonly dayBefore?: number
  readonly forge?: (percent: number) => Forged
}

const HARM = { canary: { threw: 0.3 } }
/** The API counts six views of an address in a minute. */
const bad = (addresses: number) => () => ({
  canary: 0,
  current: addresses * 6,
  threw: addresses * 6,
})
const clean = (addresses: number) => () => ({ canary: addresses * 6, current: 0 })
const both = (n: number) => () => ({ canary: n * 3, current: n * 3, threw: n * 3 })
/** As many clean views of the canary and bad ones of the current release as do not hold the analysis. */
const careful = (addresses: number, most: number) => (percent: number) => {
  const own = VISITORS * (1 - percent / 100)
  const all = addresses * 6
  const canary = Math.min(all, Math.floor((percent / 100) * (1.3 * (VISITORS + all) - VISITORS)))
  const current = all - canary
  const threw = Math.min(current, Math.floor(most * (own + current) - USUAL.threw * own))
  return { canary, current, threw }
}

type End = 'ended' | 'promoted' | 'stays'
/** What at least 95 % come to, or what none may. */
type Expected = { readonly mostly?: End; readonly never?: End }
const SAFE = { ...HARM, never: 'promoted' } as const
const SCENARIOS: Record<string, Scenario & Expected> = {
  'no effect': { mostly: 'promoted' },
  'no effect, 3 views a visitor': { viewsEach: 3, mostly: 'promoted' },
  'throws twice as often: 2 %': { canary: { threw: 0.02 } },
  'throws three times as often: 3 %': { canary: { threw: 0.03 }, mostly: 'ended' },
  'throws in 30 %': { ...SAFE, mostly: 'ended' },
  'paints late in 14 %, not 11 %': { canary: { paintedLate: 0.14 } },
  'paints late in 22 %, not 11 %': { canary: { paintedLate: 0.22 }, mostly: 'ended' },
  '3 %; an incident of the current release': {
    canary: { threw: 0.03 },
    incident: 0.3,
    mostly: 'ended',
  },
  '30 %; 20 addresses: current throws': { ...SAFE, forge: bad(20) },
  '30 %; 20 addresses: canary is well': { ...SAFE, forge: clean(20) },
  '30 %; 20 addresses: both': { ...SAFE, forge: both(20) },
  '30 %; 200 addresses: current throws': { ...SAFE, forge: bad(200) },
  '30 %; 200 addresses: canary is well': { ...SAFE, forge: clean(200) },
  '30 %; 200 addresses: both': { ...SAFE, forge: both(200) },
  '30 %; 20 addresses, careful': { ...SAFE, forge: careful(20, 0.02) },
  '30 %; 200 addresses, careful': { ...SAFE, forge: careful(200, 0.02) },
  '30 %; 100 addresses, careful, since a day': {
    ...SAFE,
    forge: careful(100, 0.045),
    dayBefore: 0.045,
  },
  '30 %; 200 addresses, careful, since a day': {
    ...HARM,
    forge: careful(200, 0.045),
    dayBefore: 0.045,
  },
  '30 %; 400 addresses, careful, since a day': {
    ...HARM,
    forge: careful(400, 0.045),
    dayBefore: 0.045,
  },
}

/** Draws how many of `n` it is, each with probability `p`, by inversion. */
function binomial(n: number, p: number, next: () => number): number {
  let left = next()
  let chance = (1 - p) ** n
  for (let k = 0; k < n; k++) {
    if (left < chance) return k
    left -= chance
    chance *= ((n - k) / (k + 1)) * (p / (1 - p))
  }
  return n
}

function simulate(
  { canary = {}, viewsEach = 1, incident, dayBefore = USUAL.threw, forge }: Scenario,
  seed: number,
) {
  const next = randomFrom(seed)
  const counts = {
    canary: { ...NO_COUNTS },
    current: { ...NO_COUNTS, views: DAY, threw: DAY * dayBefore },
  }
  for (const fact of FACTS) counts.current[fact] ||= DAY * USUAL[fact]
  const visit = (release: 'canary' | 'current', n: number) => {
    const isIncident = release === 'current' && counts.current.views < DAY + INCIDENT_VIEWS
    const shares = { ...USUAL, ...(release === 'canary' && canary) }
    if (isIncident && incident) shares.threw = incident
    for (const fact of FACTS) counts[release][fact] += binomial(n, shares[fact], next) * viewsEach
    counts[release].views += n * viewsEach
  }
  let comparison = beginComparison(structuredClone(counts))
  let percent = STEPS[0] ?? 0
  let affected = 0
  const end = (end: End, looks: number) => ({ end, visitors: looks * VISITORS, affected })
  for (let look = 1; look <= LOOKS; look++) {
    const chosen = binomial(VISITORS, percent / 100, next)
    affected += chosen
    visit('canary', chosen)
    visit('current', VISITORS - chosen)
    const { canary, current, threw = 0 } = forge?.(percent) ?? { canary: 0, current: 0 }
    counts.canary.views += canary
    counts.current.views += current
    counts.current.threw += threw
    const plan = { steps: STEPS, views: VIEWS, percent }
    const compared = compare(comparison, structuredClone(counts), plan)
    if (compared.worse.length > 0) return end('ended', look)
    comparison = compared.comparison
    const step = nextStep({ ...plan, comparison })
    if (step === 100) return end('promoted', look)
    if (step !== null) comparison = beginStep(comparison)
    percent = step ?? percent
  }
  return end('stays', LOOKS)
}

const rows: Record<string, object> = {}
if (isProof) afterAll(() => console.table(rows))

test.each(Object.entries(SCENARIOS))(
  '%s',
  (name, { mostly, never, ...scenario }) => {
    const ends = Array.from({ length: CANARIES }, (_, seed) => simulate(scenario, seed + 1))
    const share = (wanted: End) => ends.filter(({ end }) => end === wanted).length / CANARIES
    const median = (key: 'visitors' | 'affected') => {
      const ended = ends.filter(({ end }) => end === 'ended').map((end) => end[key])
      return ended.sort((a, b) => a - b)[Math.floor(ended.length / 2)]
    }
    const percent = (end: End) => `${(share(end) * 100).toFixed(1)} %`
    rows[name] = {
      ...{ ended: percent('ended'), promoted: percent('promoted'), stays: percent('stays') },
      ...{ visitors: median('visitors'), 'with the canary': median('affected') },
    }
    // The long proof takes minutes, and Jest prints nothing before its end.
    if (isProof) process.stderr.write(`${name}: ${JSON.stringify(rows[name])}\n`)
    if (never) expect(share(never)).toBe(0)
    if (mostly) expect(share(mostly)).toBeGreaterThanOrEqual(0.95)
  },
  3_600_000,
)
