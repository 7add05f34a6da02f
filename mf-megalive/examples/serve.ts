import { listen, type Running } from './http.ts'
import { live } from './live.ts'
import { type Origins, pages } from './pages.ts'
import { site } from './site.ts'

export interface Examples extends Origins {
  /** The brand's own pages. */
  readonly pages: string
  close(): Promise<void>
}

/**
 * Three sites on this machine: the brand's pages, our published site, and the provider of the embedded page.
 * @param ports 0 takes a free one
 * @throws when a port is taken, or when mf-megalive is not built
 */
export async function serveExamples(ports = { pages: 0, site: 0, live: 0 }): Promise<Examples> {
  const running: Running[] = []
  const origins: { site: string; live: string } = { site: '', live: '' }
  const start = async (...args: Parameters<typeof listen>) => {
    const server = await listen(...args)
    running.push(server)
    return server.origin
  }
  const close = async () => {
    await Promise.all(running.map((server) => server.close()))
  }
  try {
    origins.site = await start(site, ports.site)
    // Another host name, so that it is another site for cookies and partitions too.
    origins.live = await start(live(), ports.live, '127.0.0.1')
    const own = await start(
      pages(() => origins),
      ports.pages,
    )
    return { ...origins, pages: own, close }
  } catch (error) {
    await close()
    throw error
  }
}
