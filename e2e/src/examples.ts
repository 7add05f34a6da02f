import { join } from 'node:path'
import { startProcess } from './process.ts'
import { ROOT } from './stack.ts'

export type Examples = Awaited<ReturnType<typeof startExamples>>

/** Starts the servers of `npm run examples` on free ports. */
export async function startExamples() {
  const { ready, stop } = await startProcess(['node', '--import', 'tsx/esm', 'server/main.ts'], {
    cwd: join(ROOT, 'examples/pages'),
    env: { PORT: '0' },
    ready: /Published site (\S+), embedded page (\S+)\nExamples on (\S+)/,
  })
  const [site = '', live = '', pages = ''] = ready
  return {
    /** Origin of the brand's pages. */
    pages,
    /** Origin of the published site. */
    site,
    /** Origin of the embedded page's provider. */
    live,
    stop,
  }
}
