import { join } from 'node:path'
import { type ServerProcess, startProcess } from '@anniversary/tools/test/start-process'
import { ROOT } from './stack.ts'

/** Origins of `npm run examples`. */
export interface Examples {
  /** The brand's pages. */
  readonly pages: string
  /** The published site. */
  readonly site: string
  /** The provider of the embedded page. */
  readonly live: string
}

/** Starts the examples' own server on free ports. */
export async function startExamples(): Promise<Examples & Pick<ServerProcess, 'stop'>> {
  const { ready, stop } = await startProcess(['node', '--import', 'tsx/esm', 'server/main.ts'], {
    cwd: join(ROOT, 'examples/pages'),
    env: { PORT: '0' },
    ready: /Published site (\S+), embedded page (\S+)\nExamples on (\S+)/,
  })
  const [site = '', live = '', pages = ''] = ready
  return { pages, site, live, stop }
}
