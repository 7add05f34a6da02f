import { rspack } from '@rspack/core'
import { devMiddleware } from '@rspack/dev-middleware'
import { bundles } from './bundles.ts'
import { listen } from './http.ts'
import { live } from './live.ts'
import { type Bundles, EXAMPLES, pages } from './pages.ts'
import { site } from './site.ts'

/**
 * `npm run examples`: three sites on this machine until Ctrl-C, once mf-megalive is built: the brand's pages, our published
 * site, and the provider of the embedded page. `PORT=0` takes free ports. Run by tsx/esm, as build/index.js says.
 */
const print = (text: string) => process.stdout.write(`${text}\n`)
const first = Number(process.env.PORT ?? 4100)
const port = (offset: number) => (first === 0 ? 0 : first + offset)

// In memory, so that two runs share no folder; built by the first request, and anew after each edit.
let bundler: ReturnType<typeof devMiddleware> | undefined
const built: Bundles = (request, response, next) => {
  bundler ??= devMiddleware(rspack(bundles), { publicPath: '/bundles/' })
  return bundler(request, response, next)
}

try {
  const origins = {
    site: await listen(site, port(1)),
    // By another host name, so that it is another site for cookies and partitions too.
    live: await listen(live, port(2), '127.0.0.1'),
  }
  const own = await listen(pages(origins, built), port(0))
  print(`\nPublished site ${origins.site}, embedded page ${origins.live}`)
  print(`Examples on ${own}`)
  for (const [path, name] of Object.entries(EXAMPLES)) print(`  ${own}/${path}/  ${name}`)
} catch (error) {
  print(String(error))
  process.exit(1)
}
