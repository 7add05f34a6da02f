import { createApi, isPathOfApi, StartupError } from '@anniversary/api'
import { onProcessStop } from '@anniversary/build/dev/on-stop'
import { StartError, takeFreePort } from '@anniversary/build/dev/port'
import { readBuildJson, versionOfBuild } from '@anniversary/deploy/builds/read-build'
import { Rejected } from '@anniversary/deploy/rejected'
import {
  answerUnavailable,
  listenForRequests,
  type SiteServer,
  siteHandler,
} from '@anniversary/deploy/serve/server'
import { versionInSite } from '@anniversary/deploy/site/compose'
import { directContext } from '@anniversary/deploy/site/context'
import { newestRecord } from '@anniversary/deploy/site/record'
import { FileTarget } from '@anniversary/deploy/target/file-target'
import type { Target } from '@anniversary/deploy/target/target'
import { changeSettings } from '@anniversary/deploy/verbs/configure'
import { publishFolders } from '@anniversary/deploy/verbs/publish'
import { controlHandler } from '@anniversary/deploy-server/server/handler'
import { API_CONTRACT } from '@anniversary/shared/contract/api-version'
import { type PublicConfig, publicConfigSchema } from '@anniversary/shared/contract/config'
import { errorCode } from '@anniversary/shared/error-code'
import { ROOT } from '../packages.ts'
import { HELP, reachableHost, readEnvironment, type StartEnvironment } from './environment.ts'
import { buildablePackages, buildWhatChanged } from './workspace-builds.ts'

/**
 * `npm start`: builds, publishes and serves the whole product on one port, by
 * the same steps as a deployment.
 */

const stopping = new AbortController()
const say = (line: string): void => console.log(line)

async function start(): Promise<() => Promise<void>> {
  const env = readEnvironment(process.env, ROOT)
  const { host, port } = env.apiConfig
  const server = await takeFreePort(
    host,
    port,
    (free) => `PORT=${free} npm start`,
    listenForRequests,
  )
  const origin = `http://${reachableHost(host)}:${server.port}`
  const opening = createApi({ reportsSite: `${origin}/`, ...env.apiConfig })
  // It is awaited below. A failure during the builds must not end the process
  // with a stack trace.
  opening.catch(() => undefined)
  try {
    const target = new FileTarget(env.siteDir)
    await buildWhatChanged(say, stopping.signal)
    await publishBuilds(target, env.config)
    const { handler, close, openDesk } = await opening
    const desk = await openDesk()
    const serveFiles = siteHandler(target)
    process.env.DEPLOY_REPORTS ??= `${origin}/api/reports`
    process.env.DEPLOY_REPORTS_KEY ??= env.apiConfig.reportsKey[0] ?? ''
    // Never on the site's port: a page of any team could use it with the rights
    // of whoever is logged in there.
    const control = env.access ? await listenForRequests(host, env.controlPort) : undefined
    if (env.access) control?.open(controlHandler(target, env.access))
    server.open((request, response) => {
      const { url = '/' } = request
      if (isPathOfApi(url)) handler(request, response)
      else serveFiles(request, response)
    })
    announce(env, server, control, desk)
    // The port is freed last, so that the next start finds the data folder
    // unused.
    return async () => {
      server.open(answerUnavailable)
      await control?.close()
      await close()
      await server.close()
    }
  } catch (error) {
    await opening.then(
      ({ close }) => close(),
      () => undefined,
    )
    await server.close()
    throw error
  }
}

function shownHost(host: string): string {
  if (['127.0.0.1', '::1', '0.0.0.0', '::'].includes(host)) return 'localhost'
  return host
}

function announce(
  env: StartEnvironment,
  { port }: SiteServer,
  control: SiteServer | undefined,
  desk: string | undefined,
): void {
  const name = shownHost(env.apiConfig.host)
  say(`Ready on http://${name}:${port}`)
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
  if (control) say(`Control page: http://${name}:${control.port}/control`)
  if (desk !== undefined)
    say(`Support desk: ${desk}/desk${env.deskToken ? `, password ${env.deskToken}` : ''}`)
  say('Stop with Ctrl-C.')
}

/**
 * True for errors whose message is enough to fix them, including those of the
 * system, such as a full disk.
 */
const isKnown = (error: unknown): error is Error =>
  [StartError, Rejected, StartupError].some((kind) => error instanceof kind) ||
  /^E[A-Z]+$/.test(errorCode(error) ?? '') ||
  (error instanceof Error && isKnown(error.cause))

/** Returns an unknown error whole, since its stack is needed. */
function shownError(error: unknown): unknown {
  if (!isKnown(error)) return error
  // A bundler's own error has the code in its text alone.
  if (!/\b(EROFS|EACCES|EPERM)\b/.test(error.message)) return error.message
  return `${error.message}\nnpm start writes its builds, DATA_DIR and SITE_DIR: start it as a user who may, in a checkout that is not read-only`
}

async function publishBuilds(target: Target, config: PublicConfig): Promise<void> {
  const site = await newestRecord(target)
  const fresh: string[] = []
  for (const { name, dist } of buildablePackages)
    if (!site || versionInSite(site, name) !== versionOfBuild(await readBuildJson(dist)))
      fresh.push(dist)
  if (fresh.length > 0) {
    const began = Date.now()
    // Publishes even what is too large for a real deployment.
    const { summary, warnings } = await publishFolders(directContext(target), fresh, {
      config,
      apiContract: API_CONTRACT,
    })
    for (const warning of warnings) say(`! ${warning}`)
    say(`published ${summary} (${((Date.now() - began) / 1000).toFixed(1)} s)`)
  }
  // Writes all pages again, since a killed start may have left some of an older
  // composition.
  const names = publicConfigSchema.keyof().options
  await changeSettings(
    directContext(target),
    Object.fromEntries(names.map((name) => [name, config[name] ?? null])),
    { apiContract: API_CONTRACT },
  )
}

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  say(HELP)
  process.exit()
}
const started = start()
onProcessStop(async () => {
  stopping.abort()
  // A start that is stopped may fail because of that.
  const close = await started.catch(() => undefined)
  await close?.()
})
await started.catch((error: unknown) => {
  if (stopping.signal.aborted) return
  console.error(shownError(error))
  process.exit(1)
})
