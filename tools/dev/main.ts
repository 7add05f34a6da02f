import { openManagedServer } from '@anniversary/api/database/managed/server'
import { StartupError } from '@anniversary/api/startup-error'
import { onProcessStop } from '@anniversary/build/dev/on-stop'
import { probePort, StartError, takeFreePort } from '@anniversary/build/dev/port'
import { loadConfigs, startDevServer } from '@anniversary/build/dev/server'
import { Command } from 'commander'
import { ROOT } from '../packages.ts'
import { readEnvironment, type StartEnvironment } from '../start/environment.ts'
import { buildablePackages } from '../start/workspace-builds.ts'
import { runApiProcess } from './api-process.ts'
import { checkAllTypes } from './check-types.ts'
import { developmentSite } from './development-site.ts'

/**
 * `npm run dev`: API, shell and all remotes from their sources on one port,
 * each reloaded after an edit. build/index.js says why it is started by
 * `tsx/esm`.
 */

const API_PATHS = ['/api', '/healthz', '/livez', '/metrics']

const { inspect = false } = new Command('npm run dev --')
  .description(
    'Runs API, shell and all remotes from their sources on one port; an edit shows at once.',
  )
  .option('--inspect', "lets a debugger attach to the API, on Node's usual port")
  .addHelpText(
    'after',
    `
Variables: PORT (3000), HOST (127.0.0.1), DATA_DIR (.data/dev), DATABASE_URL and the rest of \`npm start -- --help\`.
Edits of package.json, routes.json and rspack.config.js need a restart. Stop with Ctrl-C.`,
  )
  .parse()
  .opts<{ inspect?: boolean }>()

async function start(): Promise<void> {
  const env = readEnvironment(
    { DATA_DIR: '.data/dev', ...process.env, NODE_ENV: 'development' },
    ROOT,
  )
  await takeFreePort(
    env.apiConfig.host,
    env.apiConfig.port,
    (free) => `PORT=${free} npm run dev`,
    probePort,
  )

  // Opened here too, so that it outlives each restart of the API.
  const postgres = env.apiEnv.DATABASE_URL ? Promise.resolve() : openManagedServer(env.dataDir)
  const api = runApiProcess({ ...process.env, ...env.apiEnv }, inspect, postgres)
  const serving = serve(env, api.origin)
  onProcessStop(async () => {
    // Not after the bundler: a kill during a build would leave the database
    // running.
    const stopped = api.stop().finally(async () => (await postgres)?.close())
    await Promise.all([stopped, serving.then((server) => server.stop())])
  })
  const [server] = await Promise.all([serving, postgres])
  await Promise.allSettled([api.origin(), server.built])
  console.log(
    `Ready on http://localhost:${server.port} (${(performance.now() / 1000).toFixed(1)} s)`,
  )
  console.log('Log in as demo01 with the digits 1234. Stop with Ctrl-C.')
  checkAllTypes()
}

/** Has no `reportUrl`, so that a page logs its failures to the console. */
async function serve(
  { apiConfig: { host, port }, config: { reportUrl: _, ...config } }: StartEnvironment,
  apiOrigin: () => Promise<string>,
) {
  const configs = buildablePackages.map(({ folder }) => loadConfigs(folder, 'development'))
  return await startDevServer((await Promise.all(configs)).flat(), {
    host,
    port,
    hot: true,
    proxy: [{ context: API_PATHS, router: apiOrigin }],
    // First, since the dev server rejects requests of frames without an origin,
    // such as the sample page's.
    setupMiddlewares: (others) => [
      { name: 'site', middleware: developmentSite(config) },
      ...others,
    ],
  })
}

start().catch((error: unknown) => {
  console.error(
    error instanceof StartError || error instanceof StartupError ? error.message : error,
  )
  process.exit(1)
})
