import { networkInterfaces } from 'node:os'
import { resolve } from 'node:path'
import { Rejected } from '@anniversary/deploy/rejected'
import { type SiteServer, siteHandler, unavailable } from '@anniversary/deploy/serve/server'
import { FileTarget } from '@anniversary/deploy/target/file-target'
import { errorCode } from '@anniversary/shared/error-code'
import { HELP, readEnvironment, type StartEnvironment } from './environment.ts'
import { onStop } from './on-stop.ts'
import { StartError, takePort } from './port.ts'
import { publishBuilds } from './publish-builds.ts'
import { BuildFailed, buildablePackages, buildWhatChanged } from './workspace-builds.ts'

/** `npm start`: the whole product on one port, by the path that a real deploy takes. */

const root = resolve(import.meta.dirname, '../..')
const stopping = new AbortController()
function say(line: string): void {
  console.log(line)
}

async function start(): Promise<() => Promise<void>> {
  const { readConfig, ConfigError } = await import('@anniversary/api/config')
  const env = readEnvironment(process.env, root)
  const apiConfig = problemsOr(() => readConfig(env.apiEnv), ConfigError)
  const problems = [...env.problems, ...apiConfig.problems]
  if (problems.length > 0) throw new StartError(`Bad configuration: ${[...new Set(problems)].join('; ')}`)
  const { config } = env
  if (!config || !apiConfig.value) throw new StartError('Bad configuration')

  const server = await takePort(env.host, env.port, (port) => `PORT=${port} npm start`)
  try {
    const target = new FileTarget(env.siteDir)
    const opening = openApi(apiConfig.value)
    // Handled below; without this, a failure while the builds run would end the process with a stack trace.
    opening.catch(() => undefined)
    const packages = await buildablePackages(root)
    await buildWhatChanged({ root, packages, progress: say, signal: stopping.signal })
    await publishBuilds(target, packages, config, say)
    const { api, isApiPath } = await opening
    const serveFiles = siteHandler(target)
    server.open((request, response) =>
      isApiPath(request.url ?? '/') ? api.handler(request, response) : serveFiles(request, response),
    )
    announce(env, server)
    // The port last: where it is free, so is the data folder, and the next start can begin.
    return async () => {
      server.open(unavailable)
      await api.close()
      await server.close()
    }
  } catch (error) {
    await server.close()
    throw error
  }
}

async function openApi(config: Parameters<typeof import('@anniversary/api').createApi>[0]['config']) {
  const { createApi, isApiPath } = await import('@anniversary/api')
  return { api: await createApi({ config }), isApiPath }
}

function announce(env: StartEnvironment, { port }: SiteServer): void {
  const everywhere = ['0.0.0.0', '::'].includes(env.host)
  const name = everywhere || ['127.0.0.1', '::1'].includes(env.host) ? 'localhost' : env.host
  say(`Ready on http://${name}:${port}`)
  if (everywhere) for (const address of ownAddresses()) say(`         http://${address}:${port}`)
  say('')
  if (env.demo) {
    say('Demo members (account, last 4 digits of the bank account):')
    say('  demo01 1234    missions to claim')
    say('  demo02 0042    asks for an address')
    say('  demo03 9999    everything claimed')
    say(`Event clock: from ${env.apiEnv.EVENT_NOW}`)
  }
  say(`Data: ${env.apiEnv.DATABASE_URL ? 'the Postgres of DATABASE_URL' : env.dataDir}`)
  say(`Site: ${env.siteDir}`)
  say('Stop with Ctrl-C.')
}

const ownAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flat()
    .flatMap((address) =>
      address && address.family === 'IPv4' && !address.internal ? [address.address] : [],
    )

function problemsOr<T>(
  read: () => T,
  Known: new (problems: readonly string[]) => Error & { readonly problems: readonly string[] },
): { value?: T; problems: readonly string[] } {
  try {
    return { value: read(), problems: [] }
  } catch (error) {
    if (error instanceof Known) return { problems: error.problems }
    throw error
  }
}

/** The line for a person; null for what only a stack trace explains. */
function explained(error: unknown): string | null {
  if (error instanceof StartError || error instanceof BuildFailed || error instanceof Rejected)
    return error.message
  // The API's own: locked data folder, database out of reach, another pepper.
  if (error instanceof Error && error.name === 'StartupError') return error.message
  // The system's own: a folder that may not be written, a full disk.
  if (error instanceof Error && /^E[A-Z]+$/.test(errorCode(error) ?? ''))
    return `Cannot start: ${error.message}`
  return null
}

async function main(): Promise<void> {
  if (process.argv.includes('--help') || process.argv.includes('-h')) {
    say(HELP)
    return
  }
  const started = start()
  onStop(async () => {
    stopping.abort()
    // Stopped before it was ready: what it then failed with is no fault.
    const close = await started.catch(() => undefined)
    await close?.()
  })
  try {
    await started
  } catch (error) {
    if (stopping.signal.aborted) return
    console.error(explained(error) ?? error)
    process.exit(1)
  }
}

await main()
