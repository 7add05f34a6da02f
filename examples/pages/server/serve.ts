import { rspack } from '@rspack/core'
import { devMiddleware } from '@rspack/dev-middleware'
import { bundles } from './bundles.ts'
import { listen, type Running } from './http.ts'
import { live } from './live.ts'
import { type Bundles, type Origins, pages } from './pages.ts'
import { site } from './site.ts'

export interface Examples extends Origins {
  /** The brand's own pages. */
  readonly pages: string
  close(): Promise<void>
}

/**
 * Three sites on this machine: the brand's pages, our published site, and the provider of the embedded page.
 * @param ports 0 takes a free one
 * @throws when a port is taken
 */
export async function serveExamples(ports = { pages: 0, site: 0, live: 0 }): Promise<Examples> {
  const running: Running[] = []
  const origins: { site: string; live: string } = { site: '', live: '' }
  const start = async (...args: Parameters<typeof listen>) => {
    const server = await listen(...args)
    running.push(server)
    return server.origin
  }
  // In memory, so that two runs share no folder; built by the first request, and anew after each edit.
  let bundler: ReturnType<typeof devMiddleware> | undefined
  const built: Bundles = (request, response, next) => {
    bundler ??= devMiddleware(rspack(bundles), { publicPath: '/bundles/' })
    return bundler(request, response, next)
  }
  const close = async () => {
    await Promise.all([
      new Promise((done) => (bundler ? bundler.close(done) : done(undefined))),
      ...running.map((server) => server.close()),
    ])
  }
  try {
    origins.site = await start(site, ports.site)
    // By another host name, so that it is another site for cookies and partitions too.
    origins.live = await start(live(), ports.live, '127.0.0.1')
    const own = await start(
      pages(() => origins, built),
      ports.pages,
    )
    return { ...origins, pages: own, close }
  } catch (error) {
    await close()
    throw error
  }
}
