import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '@anniversary/e2e/stack'
import { Command, Option } from 'commander'
import { wholeNumber, writeResults } from '../command.ts'
import { compete, conditionsOf, mediansOf, ratiosOf } from './compete.ts'
import { FEDERATED, openLab, PATHS, type Path } from './lab.ts'
import { singleSites } from './sites.ts'

const { runs, route, against } = new Command('npm run bench:load --')
  .description(
    `Loads a page cold on slow 4G (1.6 Mbps, 150 ms) with a 4x slower CPU, over
HTTP/2 and TLS, in turns: the federated site, and the same app as one bundle
(route preloaded, axios lazy), without and with the same HTML prerendered.
Prints Markdown, writes bench/results/load.json.

docs/speed.md says what is measured and emulated.`,
  )
  .option('--runs <n>', 'rounds, each a load of all', wholeNumber, 9)
  .addOption(new Option('--route <path>', 'the page').choices(PATHS).default('/login'))
  .option('--against <commit>', 'compares with another commit instead, as its own npm start serves it')
  .parse()
  .opts<{ runs: number; route: Path; against?: string }>()

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

const lab = await openLab()
try {
  const urls: Record<string, string> = { federated: await lab.openSite(FEDERATED) }
  if (against) urls[against] = await lab.openCheckout(checkOutCommit(against))
  else
    for (const [name, folder] of Object.entries(await singleSites())) urls[name] = await lab.openSite(folder)
  const contestants = Object.entries(urls).map(([name, url]) => [name, () => lab.load(url, route)] as const)
  const loads = await compete(Object.fromEntries(contestants), runs)
  console.log(`\n${route}, HTTP/2 with TLS, slow 4G, 4x CPU; medians\n`)
  console.log(`${mediansOf(loads)}\n\n${ratiosOf(loads, 'federated')}\n\n${conditionsOf(loads)}`)
  writeResults('load.json', loads)
} finally {
  await lab.close()
}
