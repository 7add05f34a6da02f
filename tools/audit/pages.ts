import { spawnSync } from 'node:child_process'
import { requireBrowser } from '../test/browser.ts'

/** The last version for Node 20. */
const LIGHTHOUSE = 'lighthouse@12.8.2'
const PUBLIC_PATHS = ['/', '/login', '/check', '/megalive']
/** Least scores, of 100. */
const LEAST = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 } as const
/** Other processes only make a page slower, so the best run counts. */
const MAX_RUNS = 3

interface Report {
  readonly categories: Readonly<
    Record<
      string,
      {
        readonly score: number | null
        readonly auditRefs: readonly { readonly id: string; readonly weight: number }[]
      }
    >
  >
  readonly audits: Readonly<Record<string, { readonly score: number | null }>>
}

interface Score {
  readonly name: string
  readonly points: number
  /** Lighthouse's ids of what costs points; empty where the points are enough. */
  readonly lost: readonly string[]
}

/** Lighthouse as a phone on slow 4G, for each public page. Prints the scores, and what costs points. */
export function auditPages(url: string): boolean {
  const browser = requireBrowser(console.log, { whole: true })
  const passed = PUBLIC_PATHS.map((path) => {
    for (let run = 1; ; run += 1) {
      const scores = scoresOf(url + path, browser)
      if (!scores && run === MAX_RUNS) return false
      if (!scores) continue
      console.log(`${path.padEnd(10)} ${scores.map(({ name, points }) => `${name} ${points}`).join(', ')}`)
      const short = scores.filter(({ lost }) => lost.length > 0)
      for (const { name, lost } of short) console.log(`  ${name}: ${lost.join(', ')}`)
      if (short.length === 0 || run === MAX_RUNS) return short.length === 0
    }
  })
  return passed.every(Boolean)
}

/** Undefined when Lighthouse failed and said why; on a busy machine it sometimes loses a trace. */
function scoresOf(page: string, browser: string): Score[] | undefined {
  const flags = ['--quiet', '--output=json', `--only-categories=${Object.keys(LEAST)}`]
  const chrome = '--chrome-flags=--headless=new --no-sandbox --disable-gpu'
  const { status, stdout } = spawnSync('npx', ['--yes', LIGHTHOUSE, page, ...flags, chrome], {
    encoding: 'utf8',
    env: { ...process.env, CHROME_PATH: browser },
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) return undefined
  const { categories, audits } = JSON.parse(stdout) as Report // Lighthouse's own format
  return Object.entries(LEAST).map(([name, least]) => {
    const { score, auditRefs = [] } = categories[name] ?? {}
    const points = Math.round((score ?? 0) * 100)
    const costly = auditRefs.filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
    return { name, points, lost: points < least ? [...costly.map(({ id }) => id), `< ${least}`] : [] }
  })
}
