import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Configuration, type DevServer as DevServerOptions, rspack } from '@rspack/core'
import { RspackDevServer } from '@rspack/dev-server'
import type { Env } from '../base.ts'

export async function loadConfigs(folder: string, site?: Env['site']): Promise<Configuration[]> {
  // What `host()` and `remote()` of the factory return.
  const { default: config } = (await import(
    pathToFileURL(join(folder, 'rspack.config.js')).href
  )) as {
    default: (env: Env) => Configuration | Configuration[]
  }
  return [config({ RSPACK_SERVE: true, ...(site && { site }) })].flat()
}

/** One client shows the errors of all builds. */
class OneOverlayServer extends RspackDevServer {
  override getClientEntry(): string {
    const { client } = this.options
    if (typeof client === 'object') client.overlay = false
    return super.getClientEntry()
  }
}

export async function startDevServer(configs: readonly Configuration[], options: DevServerOptions) {
  const watching = {
    // An editor empties a file before it writes it.
    watchOptions: { aggregateTimeout: 50 },
    infrastructureLogging: { level: 'warn' },
  } as const
  const compiler = rspack(configs.map((config) => ({ ...config, ...watching })))
  for (const each of compiler.compilers)
    each.hooks.done.tap('dev', (stats) => {
      const { time } = stats.toJson({ all: false, timings: true })
      if (stats.hasErrors()) console.log(stats.toString({ preset: 'errors-only', colors: true }))
      else console.log(`${each.name ?? 'page'} built (${time} ms)`)
    })
  const built = new Promise<void>((resolve) => compiler.hooks.done.tap('dev', () => resolve()))
  const server = new OneOverlayServer(
    {
      host: '127.0.0.1',
      static: false,
      setupExitSignals: false,
      devMiddleware: { stats: 'none' },
      client: {
        webSocketURL: 'auto://0.0.0.0:0/ws',
        overlay: { errors: true, warnings: false, runtimeErrors: false },
        logging: 'warn',
      },
      ...options,
    },
    compiler,
  )
  await server.start()
  const address = server.server?.address()
  if (!address || typeof address === 'string')
    throw new Error('The dev server does not listen on a port')
  return {
    port: address.port,
    built,
    stop: async (): Promise<void> => {
      await server.stop()
      await new Promise((resolve) => compiler.close(resolve))
    },
  }
}
