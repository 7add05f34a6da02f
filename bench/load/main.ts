import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '@anniversary/e2e/stack'
import { Command, Option } from 'commander'
import { wholeNumber, writeResults } from '../command.ts'
import { compete, conditionsOf, type Figure, type Loads, mediansOf, ratiosOf } from './compete.ts'
import { makeFilm } from './film.ts'
import { FEDERATED, openLab } from './lab.ts'
import type { LoadOptions } from './measure.ts'
import { PATHS, type Path } from './screens.ts'
import { buildTemplate, changedSites, singleSites, siteWithFurther } from './sites.ts'

const values = new Command('npm run bench:load --')
  .description(
    `Loads a page cold on slow 4G (1.6 Mbps, 150 ms) with a 4x slower CPU, over
HTTP/2 and TLS, in turns: the federated site, and the same app as one bundle:
plain (React.lazy routes), tuned (route preloaded, axios lazy), and tuned with
the same HTML prerendered. Prints Markdown, writes bench/results/load.json.

docs/speed.md says what is measured and emulated.`,
  )
  .option('--runs <n>', 'rounds, each a load of all', wholeNumber, 9)
  .addOption(new Option('--route <path>', 'the page').choices(PATHS).default('/login'))
  .option('--http1', 'HTTP/1.1 instead, up to six connections')
  .optionsGroup('Instead of that table:')
  .option(
    '--returning',
    'a visit after one with a full cache: nothing, a remote or the shell deployed in between',
  )
  .option('--remotes <1,6,…>', 'the federated page with so many further remotes on the site')
  .option('--against <commit>', 'this checkout and another commit, each as its own npm start serves it')
  .option('--film <file>', 'pictures of one load each, federated and tuned, every 100 ms, as one JPEG')
  .parse()
  .opts<{
    runs: number
    route: Path
    http1?: true
    returning?: true
    remotes?: string
    against?: string
    film?: string
  }>()
const { runs, route: path } = values

const lab = await openLab(values.http1)

const COLD: Figure[] = [
  'painted ms',
  'accepts ms',
  'answers ms',
  'LCP ms',
  'CLS',
  'CPU ms',
  'JS kB',
  'all kB',
]
const WARM: Figure[] = ['painted ms', 'answers ms', 'HTML kB', 'JS kB', 'all kB']

const CONDITIONS = `${path}, ${values.http1 ? 'HTTP/1.1' : 'HTTP/2'} with TLS, slow 4G, 4x CPU`

/** @param one whose ratios to the others are printed */
function report(loads: Loads, figures: readonly Figure[], one?: string): void {
  console.log(`\n${CONDITIONS}; medians\n`)
  console.log(mediansOf(loads, figures))
  if (one) console.log(`\n${ratiosOf(loads, one)}`)
  console.log(`\n${conditionsOf(loads)}`)
  writeResults('load.json', loads)
}

/** Loads pages in turns. */
const competeAt = (urls: Readonly<Record<string, string>>): Promise<Loads> =>
  compete(
    Object.fromEntries(Object.entries(urls).map(([name, url]) => [name, () => lab.load(url, path)])),
    runs,
  )

async function openAll(folders: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const urls: Record<string, string> = {}
  for (const [name, folder] of Object.entries(folders)) urls[name] = (await lab.openSite(folder)).url
  return urls
}

async function firstLoad(): Promise<void> {
  const urls = await openAll({ federated: FEDERATED, ...(await singleSites()) })
  report(await competeAt(urls), COLD, 'federated')
}

/** A visit whose browser has all files of a visit before; in between a site may have been deployed. */
async function returningVisit(): Promise<void> {
  const visits: Parameters<typeof compete>[0] = {}
  for (const [name, { before, after }] of Object.entries(await changedSites())) {
    const { url, swap } = await lab.openSite(before)
    const prepare: LoadOptions['prepare'] = async (context) => {
      swap(before)
      const page = await context.newPage()
      await page.goto(`${url}${path}`, { waitUntil: 'networkidle' })
      await page.close()
      swap(after)
    }
    Object.assign(visits, { [name]: () => lab.load(url, path, { prepare }) })
  }
  report(await compete(visits, runs), WARM)
}

async function furtherRemotes(counts: readonly number[]): Promise<void> {
  const template = await buildTemplate()
  const folders: Record<string, string> = {}
  for (const count of counts) folders[`${count} further remotes`] = await siteWithFurther(count, template)
  report(await competeAt(await openAll(folders)), WARM)
}

/** Another commit, checked out below `.cache` and installed, once. */
function checkOutCommit(commit: string): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
  const folder = join(ROOT, '.cache/against', git('rev-parse', '--short', `${commit}^{commit}`))
  if (!existsSync(folder)) {
    git('worktree', 'add', '--detach', folder, commit)
    execFileSync('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], {
      cwd: folder,
      stdio: 'inherit',
    })
  }
  return folder
}

async function againstCommit(commit: string): Promise<void> {
  const before = await lab.openCheckout(checkOutCommit(commit))
  const after = (await lab.openSite(FEDERATED)).url
  report(await competeAt({ before, after }), COLD, 'after')
}

async function film(file: string): Promise<void> {
  const { tuned } = await singleSites()
  const urls = await openAll({ federated: FEDERATED, 'tuned bundle': tuned })
  await makeFilm(lab.browser, CONDITIONS, urls, (url, options) => lab.load(url, path, options), file)
}

try {
  if (values.film) await film(values.film)
  else if (values.against) await againstCommit(values.against)
  else if (values.returning) await returningVisit()
  else if (values.remotes) await furtherRemotes(values.remotes.split(',').map(Number))
  else await firstLoad()
} finally {
  await lab.close()
}
