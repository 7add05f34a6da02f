import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { headerRules } from '@anniversary/deploy/serve/headers'
import { serveSite } from '@anniversary/deploy/serve/static'
import { compositionOf } from '@anniversary/deploy/site/compose'
import { variantsOf } from '@anniversary/deploy/site/compress'
import { newestRecord } from '@anniversary/deploy/site/record'
import { FileTarget } from '@anniversary/deploy/target/file-target'
import { spawnStack } from '@anniversary/e2e/stack'
import { BROWSER_ARGS, requireBrowser } from '@anniversary/tools/test/browser'
import { type Browser, chromium } from '@playwright/test'
import { helpOnly, runsFrom } from './command.ts'
import { type Load, measureLoad } from './measure-load.ts'
import { median } from './median.ts'

const HELP = `npm run bench:load [-- --runs N --path /login --json FILE --against FOLDER]

Loads one page cold on slow 4G (1.6 Mbps, 150 ms) with a 4x slower CPU: the composed site, and the same app as one
bundle, plain (React.lazy routes) and tuned (route preloaded, axios lazy). Alternates the three, prints medians.

  --runs N     loads of each (default 9)
  --path PATH  the page (default /login)
  --json FILE  writes all single loads (default bench/results/load.json)
  --against FOLDER
               compares with another checkout instead, each served by its own npm start: what a change costs.
               git worktree add ../before COMMIT && npm ci --prefix ../before`

const root = resolve(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '9' },
    path: { type: 'string', default: '/login' },
    json: { type: 'string', default: join(root, 'bench/results/load.json') },
    against: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})
helpOnly(HELP, values.help)
const runs = runsFrom(values.runs)

/** Serves a folder with the server, headers and compression of the site. */
async function serve(
  folder: string,
  policyOf: FileTarget,
  single: boolean,
): Promise<{ url: string; close: () => void }> {
  const record = await newestRecord(policyOf)
  if (!record) throw new Error('the site is empty')
  // A single bundle has no policy that lets its own chunks through where Trusted Types are asked for.
  const withoutTrustedTypes = (value: string) =>
    value.replace(/; (require-trusted-types-for|trusted-types)[^;]*/g, '')
  const rules = headerRules(compositionOf(record), record.config).map((rule) => ({
    ...rule,
    headers: Object.fromEntries(
      Object.entries(rule.headers).map(([name, value]) => [
        name,
        single ? withoutTrustedTypes(value) : value,
      ]),
    ),
  }))
  const server = createServer(serveSite(new FileTarget(folder), async () => rules))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo // a TCP server's address is never a string
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

/** Builds both single bundles; the tuned one's page gets the preloads that `deploy` writes into the site's. */
async function buildSingles(): Promise<void> {
  const dir = join(root, 'bench/single')
  rmSync(join(dir, 'dist'), { recursive: true, force: true })
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/@rspack/cli/bin/rspack.js'), 'build', '-c', join(dir, 'rspack.config.js')],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  if (status !== 0) throw new Error('the single bundles did not build')
  const tuned = join(dir, 'dist/tuned')
  const page = readFileSync(join(tuned, 'index.html'), 'utf8')
  const preloads = readdirSync(tuned)
    .filter((file) => file.startsWith('LoginPage.'))
    .map((file) => `<link rel="preload" as="${file.endsWith('.css') ? 'style' : 'script'}" href="/${file}">`)
  writeFileSync(join(tuned, 'index.html'), page.replace('</head>', `${preloads.join('\n')}\n</head>`))
  for (const name of ['plain', 'tuned']) {
    const folder = join(dir, 'dist', name)
    for (const file of readdirSync(folder)) {
      const bytes = readFileSync(join(folder, file))
      for (const [path, variant] of await variantsOf(file, bytes)) writeFileSync(join(folder, path), variant)
    }
  }
}

const summary = (loads: readonly Load[]) => ({
  form: median(loads.map(({ form }) => form)),
  answers: median(loads.map(({ answers }) => answers)),
  lcp: median(loads.map(({ lcp }) => lcp)),
  fcp: median(loads.map(({ fcp }) => fcp)),
  cls: Math.max(...loads.map(({ cls }) => cls)),
  requests: median(loads.map(({ requests }) => requests)),
  levels: median(loads.map(({ levels }) => levels)),
  js: median(loads.map(({ js }) => js)),
  css: median(loads.map(({ css }) => css)),
  images: median(loads.map(({ images }) => images)),
  bytes: median(loads.map(({ bytes }) => bytes)),
})

const kB = (bytes: number): string => (bytes / 1000).toFixed(1)

interface Served {
  readonly url: string
  close(): unknown
}

const siteFolder = join(root, '.cache/bench-site')
const dataFolder = join(root, '.cache/bench-data')

/** The composed site and the same app as single bundles, served alike. */
async function serveSingles(): Promise<Record<string, Served>> {
  const stack = await spawnStack(dataFolder, siteFolder, {})
  await stack.stop()
  await buildSingles()
  const target = new FileTarget(siteFolder)
  return {
    federated: await serve(siteFolder, target, false),
    plain: await serve(join(root, 'bench/single/dist/plain'), target, true),
    tuned: await serve(join(root, 'bench/single/dist/tuned'), target, true),
  }
}

/** Two checkouts, each as its own `npm start` serves it. */
async function serveCheckouts(other: string): Promise<Record<string, Served>> {
  const cache = join(other, '.cache')
  const before = await spawnStack(join(cache, 'bench-data'), join(cache, 'bench-site'), {}, other)
  const after = await spawnStack(dataFolder, siteFolder, {})
  return {
    before: { url: before.url, close: before.stop },
    after: { url: after.url, close: after.stop },
  }
}

async function main(): Promise<void> {
  console.log(values.against ? 'building both checkouts …' : 'building the site and the single bundles …')
  rmSync(siteFolder, { recursive: true, force: true })
  const servers = values.against ? await serveCheckouts(resolve(values.against)) : await serveSingles()
  const names = Object.keys(servers)
  const loads: Record<string, Load[]> = Object.fromEntries(names.map((name) => [name, []]))
  const browser: Browser = await chromium.launch({
    executablePath: requireBrowser(console.log, { whole: true }),
    args: BROWSER_ARGS,
  })
  try {
    for (let run = 0; run <= runs; run += 1) {
      for (const name of names) {
        const load = await measureLoad(browser, `${servers[name]?.url}${values.path}`)
        // The first round warms up the machine and is not counted.
        if (run > 0) loads[name]?.push(load)
      }
      process.stdout.write(run === 0 ? 'warmed up\n' : `run ${run} of ${runs}\r`)
    }
  } finally {
    await browser.close()
    for (const server of Object.values(servers)) await server.close()
  }

  const rows = names.map((name) => ({ name, ...summary(loads[name] ?? []) }))
  console.log(`\n${values.path}, ${runs} loads each, slow 4G, 4x CPU; medians\n`)
  console.log(
    '             form ms  answers   LCP ms   FCP ms    CLS   requests  levels    JS kB   CSS kB   art kB   all kB',
  )
  for (const row of rows) {
    const columns = [
      row.form.toFixed(0),
      row.answers.toFixed(0),
      row.lcp.toFixed(0),
      row.fcp.toFixed(0),
      row.cls.toFixed(3),
      row.requests.toFixed(0),
      row.levels.toFixed(0),
      kB(row.js),
      kB(row.css),
      kB(row.images),
      kB(row.bytes),
    ]
    console.log(`${row.name.padEnd(11)}${columns.map((column) => column.padStart(9)).join('')}`)
  }
  const ratio = (one: string, other: string, key: 'form' | 'answers' = 'form') => {
    const time = (name: string) => rows.find((row) => row.name === name)?.[key] ?? Number.NaN
    return (time(one) / time(other)).toFixed(2)
  }
  if (values.against) console.log(`\ntime to the form, after / before: ${ratio('after', 'before')}`)
  else {
    console.log(`\ntime to the form, federated / tuned: ${ratio('federated', 'tuned')} (goal 0.60)`)
    console.log(`until it answers, federated / tuned: ${ratio('federated', 'tuned', 'answers')} (goal 1.08)`)
  }

  mkdirSync(resolve(values.json, '..'), { recursive: true })
  writeFileSync(values.json, JSON.stringify({ path: values.path, runs, medians: rows, loads }, null, 2))
  console.log(`\nwritten to ${values.json}`)
}

await main()
