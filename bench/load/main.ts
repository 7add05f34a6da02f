import { Command, Option } from 'commander'
import { wholeNumber, writeResults } from '../command.ts'
import { checkOut, commitOf } from './checkout.ts'
import { compete, conditionsOf, type Key, mediansOf, ratiosOf, table } from './compete.ts'
import { seeFailures } from './failures.ts'
import { pressLogin } from './first-mission.ts'
import { inLab, needsCode, PATHS, type Path } from './lab.ts'
import type { Load } from './measure.ts'
import { type Sites, sitesAfterRelease, sitesNow } from './sites.ts'

const MEASURES = ['first', 'release', 'press', 'failures'] as const
type Measure = (typeof MEASURES)[number]
/** With another commit. */
const COMPARABLE: readonly Measure[] = ['first', 'press']

const command = new Command('npm run bench -- load')
  .description(
    `Compares the federated site with the same app built in other ways, on slow 4G
(1.6 Mbps, 150 ms) with a 4x slower CPU, over HTTP/2 and TLS, in turns. Measures
  first     a first load of each route
  press     from the press on "Đăng nhập" to the first mission
  release   a second visit to /login, after a release of mf-auth
  failures  what a member sees when a remote is dead, a chunk slow or stalled

Prints Markdown, writes bench/results/load.json. docs/speed.md says what is
compared, measured and emulated.

Needs the whole Chromium and openssl.`,
  )
  .option('--runs <n>', 'rounds, each a load of all', wholeNumber, 9)
  .addOption(new Option('--only <measure...>', 'these measures (default: all)').choices(MEASURES))
  .addOption(
    new Option('--route <path...>', 'routes of the first loads')
      .choices(PATHS)
      .default(['/login', '/home']),
  )
  .option(
    '--against <commit>',
    "compares first loads and the press with what that commit's own npm start serves; its checkout stays in .cache/against",
    commitOf,
  )
  .parse()
const { runs, route, against, ...options } = command.opts<{
  runs: number
  only?: Measure[]
  route: Path[]
  against?: string
}>()
const { only = against ? COMPARABLE : MEASURES } = options
if (against && only.some((measure) => !COMPARABLE.includes(measure)))
  command.error(`--against compares only ${COMPARABLE.join(' and ')}`)

const results: Record<string, unknown> = {}

/** Compares what each contestant's `load` measures. */
async function report<T>(
  title: string,
  contestants: Readonly<Record<string, T>>,
  load: (contestant: T) => Promise<Load>,
  figures?: readonly Key[],
): Promise<void> {
  console.error(title)
  const loads = await compete(contestants, load, runs)
  console.log(
    `\n### ${title}\n\n${mediansOf(loads, figures)}\n\n${ratiosOf(loads, 'federated', figures)}\n`,
  )
  console.log(conditionsOf(loads))
  results[title] = loads
}

await inLab(async (lab) => {
  const sites: Sites = against ? {} : await sitesNow()
  const urls: Record<string, string> = {}
  for (const [name, folder] of Object.entries(sites)) urls[name] = await lab.openSite(folder)
  if (against) {
    urls.federated = await lab.openOwn()
    urls[against] = await lab.openCheckout(checkOut(against))
  }
  const { static: _url, ...urlsWithCode } = urls
  const { static: _folder, ...sitesWithCode } = sites
  if (only.includes('first'))
    for (const path of route)
      await report(`First load of ${path}`, needsCode(path) ? urlsWithCode : urls, (url) =>
        lab.load(url, path),
      )
  if (only.includes('press'))
    await report(
      'From the press on "Đăng nhập" to the first mission',
      urlsWithCode,
      (url) => lab.load(url, '/login', { use: pressLogin }),
      ['press'],
    )
  if (only.includes('release')) {
    const after = await sitesAfterRelease(sites)
    const visits: Record<string, () => Promise<Load>> = {}
    for (const [name, folder] of Object.entries(sitesWithCode))
      visits[name] = await lab.secondVisit(folder, after[name] ?? '')
    await report('Second visit to /login, after a release of mf-auth', visits, (visit) => visit())
  }
  if (only.includes('failures')) {
    const { head, rows } = await seeFailures(lab, sitesWithCode)
    console.log(
      `\n### What a member sees on /login when something fails\n\n${table(head, rows, '---')}`,
    )
    results.failures = rows
  }
  writeResults('load.json', results)
})
