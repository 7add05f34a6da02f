import type { DevServer } from '@rspack/core'
import { Command, InvalidArgumentError, Option } from 'commander'
import { packageNameOf } from '../packages.ts'
import { deployedSite } from './deployed-site.ts'
import { onProcessStop } from './on-stop.ts'
import { probePort, StartError, takeFreePort } from './port.ts'
import { loadConfigs, startDevServer } from './server.ts'

function origin(text: string): URL {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError('give an address like https://staging.example')
  return new URL(new URL(text).origin)
}

const options = new Command('dev')
  .description('Runs this remote with hot reload: alone in its harness, or inside a deployed site.')
  .addOption(
    new Option('--site <url>', 'shows that site with only this remote from here').argParser(origin),
  )
  .addOption(new Option('--port <port>', '0: any free one').argParser(Number).default(3001))
  .parse()
  .opts<{ site?: URL; port: number }>()

const optionsInSite = (site: URL, name: string, folder: string): DevServer => ({
  // The site's React is a production build that cannot refresh.
  hot: false,
  proxy: [
    {
      pathFilter: () => true,
      target: site.origin,
      changeOrigin: true,
      // The site's own redirects stay here, also those with its whole address.
      autoRewrite: true,
      protocolRewrite: 'http',
    },
  ],
  setupMiddlewares: (others) => [
    { name: 'site', middleware: deployedSite(site, name, folder) },
    ...others,
  ],
})

async function start({ site, port }: typeof options): Promise<void> {
  const folder = process.cwd()
  const name = packageNameOf(folder)
  const configs = await loadConfigs(folder, site && 'deployed')
  const own = configs[0]?.devServer || {}
  await takeFreePort(
    '127.0.0.1',
    port,
    (free) => `cd "${folder}" && npm run dev -- --port ${free}`,
    probePort,
  )
  const server = await startDevServer(configs, {
    ...(site ? optionsInSite(site, name, folder) : own),
    port,
  })
  onProcessStop(server.stop)
  console.log(
    `\n${site ? `${site.origin} with ${name} from here` : name}: http://localhost:${server.port}\n`,
  )
}

start(options).catch((error: unknown) => {
  console.error(error instanceof StartError ? error.message : error)
  process.exit(1)
})
