import { spawn } from 'node:child_process'
import { copySources, editSource } from './copy-sources.ts'

/** `npm run dev` on a copy of the sources, which tests and benchmarks may edit. */
export interface DevServer {
  readonly url: string
  /** Milliseconds from the command to its `Ready`. */
  readonly readyAfter: number
  /** Everything the process has printed. */
  output(): string
  /**
   * Replaces a text in a source file, as an editor saves it.
   * @returns takes the edit back
   */
  edit(file: string, from: string, to: string): Promise<() => Promise<void>>
  /** Ends it as Ctrl-C does. Resolves with the exit code. */
  stop(): Promise<number | null>
}

const READY = /Ready on (http:\/\/\S+)/
/** A first start makes a database, on a machine that may be busy. */
const READY_WITHIN_MS = 120_000

export async function startDevServer(): Promise<DevServer> {
  const root = await copySources()
  const began = performance.now()
  const child = spawn('node', ['tools/bin/dev.js'], {
    cwd: root,
    env: { ...process.env, npm_lifecycle_event: '', PORT: '0', DATABASE_URL: '', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const url = await new Promise<string>((resolve, reject) => {
    const fail = () => reject(new Error(`Not ready:\n${output}`))
    const timer = setTimeout(fail, READY_WITHIN_MS)
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        const found = READY.exec(output)?.[1]
        if (!found) return
        clearTimeout(timer)
        resolve(found)
      })
    void ended.then(fail)
  })
  return {
    url,
    readyAfter: performance.now() - began,
    output: () => output,
    edit: (file, from, to) => editSource(root, file, from, to),
    stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}
