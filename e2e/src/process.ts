import { type ChildProcess, spawn } from 'node:child_process'

/**
 * Milliseconds. A first start builds packages and creates a database, on a
 * machine that may be busy.
 */
const READY_WITHIN_MS = 900_000

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts a process and resolves when its output matches. */
export async function startProcess(
  [command = '', ...args]: readonly string[],
  { cwd, env, ready }: { cwd: string; env?: NodeJS.ProcessEnv; ready: RegExp },
) {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let output = ''
  let isReady = false
  const ended = new Promise<number | null>((done) => child.on('exit', done))
  void ended.then(() => running.delete(child))
  const found = await new Promise<RegExpExecArray>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${why}:\n${output}`))
    setTimeout(() => fail('Not ready in time'), READY_WITHIN_MS).unref()
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        const match = isReady ? null : ready.exec(output)
        if (!match) return
        isReady = true
        resolve(match)
      })
    void ended.then((code) => fail(`Ended with code ${code} before it was ready`))
  })
  return {
    /** Groups of the match. */
    ready: found.slice(1),
    output: () => output,
    /** Resolves with the exit code. */
    stop() {
      child.kill()
      return ended
    },
  }
}
