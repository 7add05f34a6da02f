import { type ServerProcess, startProcess } from '@anniversary/tools/test/start-process'
import { copySources, editSource } from './copy-sources.ts'

/** `npm run dev` on a copy of the sources, which tests and benchmarks may edit. */
export interface DevServer extends Omit<ServerProcess, 'ready'> {
  readonly url: string
  /** Milliseconds from the command to its `Ready`. */
  readonly readyAfter: number
  /**
   * Replaces a text in a source file, as an editor saves it.
   * @returns takes the edit back
   */
  edit(file: string, from: string, to: string): Promise<() => Promise<void>>
}

export async function startDevServer(): Promise<DevServer> {
  const root = await copySources()
  const began = performance.now()
  const { ready, ...server } = await startProcess(['node', 'tools/bin/dev.js'], {
    cwd: root,
    env: { npm_lifecycle_event: '', PORT: '0', DATABASE_URL: '', NO_COLOR: '1' },
    ready: /Ready on (http:\/\/\S+)/,
  })
  return {
    ...server,
    url: ready[0] ?? '',
    readyAfter: performance.now() - began,
    edit: (file, from, to) => editSource(root, file, from, to),
  }
}
