import { Command, Option } from 'commander'
import { wholeNumber, writeResults } from '../command.ts'
import { checkOut, commitOf } from './checkout.ts'
import { compete, conditionsOf, mediansOf, ratiosOf } from './compete.ts'
import { FEDERATED, inLab, needsCode, PATHS, type Path } from './lab.ts'
import { rivalSites } from './sites.ts'

const { runs, route, against } = new Command('npm run bench:load --')
  .description(
    `Loads a page cold on slow 4G (1.6 Mbps, 150 ms) with a 4x slower CPU, over
HTTP/2 and TLS, in turns: the federated site, and the same app as one bundle
(route preloaded, axios lazy), without and with the same HTML prerendered, and
the federated site's pages without their code. Or another commit in place of
these three.
Prints Markdown, writes bench/results/load.json.

docs/speed.md says what is measured and emulated.`,
  )
  .option('--runs <n>', 'rounds, each a load of all', wholeNumber, 9)
  .addOption(new Option('--route <path>', 'the page').choices(PATHS).default('/login'))
  .option(
    '--against <commit>',
    "compares with what that commit's own npm start serves; its checkout stays in .cache/against",
    commitOf,
  )
  .parse()
  .opts<{ runs: number; route: Path; against?: string }>()

await inLab(async (lab) => {
  const urls: Record<string, string> = { federated: await lab.openSite(FEDERATED) }
  if (against) urls[against] = await lab.openCheckout(checkOut(against))
  else
    for (const [name, folder] of Object.entries(await rivalSites()))
      if (name !== 'static' || !needsCode(route)) urls[name] = await lab.openSite(folder)
  const contestants = Object.entries(urls).map(([name, url]) => [name, () => lab.load(url, route)] as const)
  const loads = await compete(Object.fromEntries(contestants), runs)
  console.log(`\n${route}, HTTP/2 with TLS, slow 4G, 4x CPU; medians\n`)
  console.log(`${mediansOf(loads)}\n\n${ratiosOf(loads, 'federated')}\n\n${conditionsOf(loads)}`)
  writeResults('load.json', loads)
})
