import { join } from 'node:path'
import { startProcess } from './process.ts'
import { ROOT } from './stack.ts'

export type Examples = Awaited<ReturnType<typeof startExamples>>

/** Serves the pages of `npm run examples`, which show the embed of this site, on a free port. */
export async function startExamples(site: string) {
  const rspack = join(ROOT, 'node_modules/.bin/rspack')
  const { ready, stop } = await startProcess([rspack, 'serve', '--config', 'examples/rspack.config.js'], {
    cwd: join(ROOT, 'mf-megalive'),
    env: { PORT: '0', SITE: site },
    ready: /Local:.*?(http:\/\/[\d.]+:\d+)\//,
  })
  const [pages = ''] = ready
  return { pages, stop }
}
