import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requireBrowser } from '@anniversary/e2e/browser'
import { spawnStack } from '@anniversary/e2e/stack'
import { Command } from 'commander'

// A four-fold slower CPU stands for a phone on a fast desktop only, so the factor follows Lighthouse's own benchmark of this
// machine. A slow moment makes a page slower, never faster: of three runs the best counts.
new Command('npm run audit:pages')
  .description('Lighthouse as a phone on slow 4G, for each public page. Exit code 1 when a score is too low.')
  .parse()

const LIGHTHOUSE = 'lighthouse@12.8.2' // the last for Node 20
const PATHS = ['/', '/login', '/check', '/megalive']
const LEAST = { performance: 0.95, accessibility: 1, 'best-practices': 1, seo: 1 }
/** Benchmark index of a desktop that is four times as fast as the phone (Lighthouse's docs/throttling.md). */
const FAST_DESKTOP = 1600

interface Report {
  readonly environment: { readonly benchmarkIndex: number }
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>
}

/** Follows the benchmark of the run before, since other processes come and go. */
let slowdown = 1

function audit(url: string): Report {
  const options = [`--throttling.cpuSlowdownMultiplier=${slowdown}`, '--quiet', '--output=json']
  const categories = `--only-categories=${Object.keys(LEAST)}`
  const flags = '--chrome-flags=--headless=new --no-sandbox --disable-gpu'
  const printed = execFileSync('npx', ['--yes', LIGHTHOUSE, url, ...options, categories, flags], {
    env: { ...process.env, CHROME_PATH: requireBrowser(true) },
    encoding: 'utf8',
    maxBuffer: 64_000_000,
  })
  const report = JSON.parse(printed) as Report // the tool's own format
  slowdown = Math.max(1, Math.min(4, (4 * report.environment.benchmarkIndex) / FAST_DESKTOP))
  return report
}

const folder = mkdtempSync(join(tmpdir(), 'lighthouse-'))
const stack = await spawnStack(join(folder, 'data'), join(folder, 'site'), {})
try {
  audit(stack.url)
  for (const path of PATHS) {
    const best: Record<string, number> = {}
    const isGood = () => Object.entries(LEAST).every(([category, least]) => (best[category] ?? 0) >= least)
    for (let run = 0; run < 3 && !isGood(); run += 1)
      for (const [category, { score }] of Object.entries(audit(stack.url + path).categories))
        best[category] = Math.max(best[category] ?? 0, score ?? 0)
    console.log(isGood() ? 'ok  ' : 'FAIL', path, best, `CPU slowed down ${slowdown.toFixed(1)} times`)
    if (!isGood()) process.exitCode = 1
  }
} finally {
  await stack.stop()
  rmSync(folder, { recursive: true, force: true })
}
