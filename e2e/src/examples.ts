import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from './stack.ts'

/** Origins of `npm run examples`. */
export interface Examples {
  /** The brand's pages. */
  readonly pages: string
  /** The published site. */
  readonly site: string
  /** The provider of the embedded page. */
  readonly live: string
  /** The requests that the provider got, as `path destination referrer`. */
  requests(): Promise<string[]>
}

const READY = /Published site (\S+), embedded page (\S+)\nExamples on (\S+)/
const READY_WITHIN_MS = 120_000

/** Starts the examples' own server on free ports. */
export async function startExamples(): Promise<Examples & { stop(): void }> {
  const child = spawn('node', ['--import', 'tsx/esm', 'server/main.ts'], {
    cwd: join(ROOT, 'examples/pages'),
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const [, site = '', live = '', pages = ''] = await new Promise<RegExpExecArray>((ready, failed) => {
    const timer = setTimeout(() => failed(new Error(`Not ready in time:\n${output}`)), READY_WITHIN_MS)
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const found = READY.exec(output)
      if (!found) return
      clearTimeout(timer)
      ready(found)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('exit', (code) => failed(new Error(`Ended with code ${code}:\n${output}`)))
  })
  return {
    pages,
    site,
    live,
    requests: async () => JSON.parse(await (await fetch(`${live}/_requests`)).text()),
    stop: () => child.kill('SIGTERM'),
  }
}
