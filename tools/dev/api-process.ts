import { fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { watch } from 'chokidar'
import { ROOT } from '../packages.ts'

const SOURCES = ['api/src', 'api/migrations', 'shared/src', 'shared/campaign']
const SOURCE = /(?<!\.test)\.(ts|sql|json)$/
/** Edits within this time, such as a switch of branches, cause one restart. */
const QUIET_MS = 50

const todo = ({ DATA_DIR }: NodeJS.ProcessEnv) =>
  `If another branch left a schema in its database, start with an empty one: rm -r '${DATA_DIR}'`

type Run = ReturnType<typeof start>

function start(env: NodeJS.ProcessEnv, inspect: boolean) {
  const began = Date.now()
  const child = fork(join(ROOT, 'api/src/main.ts'), {
    env: { ...env, HOST: '127.0.0.1', PORT: '0' },
    execArgv: ['--import', 'tsx', ...(inspect ? ['--inspect'] : [])],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  void ended.then(() => {
    if (!child.killed) console.log(`api ended, and starts again after the next edit. ${todo(env)}`)
  })
  // The process sends it when it listens.
  const origin = new Promise<string>((resolve) =>
    child.once('message', (origin) => resolve(String(origin))),
  )
  void origin.then(() => console.log(`api ready (${Date.now() - began} ms)`))
  return { child, origin, ended }
}

async function end({ child, ended }: Run): Promise<void> {
  child.kill('SIGTERM')
  await ended
}

/**
 * Runs the API in a process of its own, and restarts it after each edit.
 * @param after resolves when it may start
 */
export function runApiProcess(env: NodeJS.ProcessEnv, inspect: boolean, after: Promise<unknown>) {
  let current = after.then(() => start(env, inspect))
  // The caller awaits `after` too, and handles its failure.
  current.catch(() => undefined)
  let waiting = false
  const restart = async (): Promise<Run> => {
    const run = await current
    await sleep(QUIET_MS)
    await end(run)
    waiting = false
    return start(env, inspect)
  }
  // On Linux, Node's watch() misses files that are saved by renaming.
  const watcher = watch(
    SOURCES.map((folder) => join(ROOT, folder)),
    { ignoreInitial: true },
  ).on('all', (_event, file) => {
    if (waiting || !SOURCE.test(file)) return
    waiting = true
    current = restart()
  })
  return {
    /**
     * Resolves with the API's origin, after a restart if one is under way.
     * Rejects with `status` 503 when the API has ended.
     */
    async origin(): Promise<string> {
      const { child, origin, ended } = await current
      const url = await Promise.race([origin, ended])
      if (url && child.connected) return url
      throw Object.assign(new Error(`The API has ended: see the terminal. ${todo(env)}`), {
        status: 503,
      })
    },
    async stop(): Promise<void> {
      await watcher.close()
      await end(await current)
    },
  }
}
