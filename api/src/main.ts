import { errorMessage } from '@anniversary/shared/error-message'
import closeWithGrace from 'close-with-grace'
import { Command } from 'commander'
import { buildVersionText } from './build-info.ts'
import { createApi, GRACE_MS, StartupError } from './create-api.ts'
import { readConfiguration } from './server/config.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

async function main(): Promise<void> {
  new Command('api')
    .version(buildVersionText)
    .allowExcessArguments(false)
    .description(
      'Serves the API of the event. It is configured by environment variables: see api.env.example.',
    )
    .parse()
  const config = readConfiguration(process.env, ['loginPepper'])
  const api = await createApi(config)
  const delay = config.drainSeconds * 1000 + GRACE_MS
  const { close } = closeWithGrace({ delay, skip: [...SIGNALS] }, async ({ err }) => {
    if (err) api.app.log.fatal({ err }, 'stopping after a failure')
    await api.close()
  })
  // At a second signal the library would end the process, and leave the demo's
  // Postgres running.
  let isStopping = false
  const stop = () => {
    if (!isStopping) close()
    isStopping = true
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  try {
    await api.openDesk()
    const origin = await api.app.listen({ port: config.port, host: config.host })
    // Ends when the parent process dies.
    process.send?.(origin)
    process.once('disconnect', () => process.kill(process.pid))
  } catch (error) {
    await api.close()
    throw new StartupError(
      `cannot listen on ${config.host}:${config.port} or DESK_PORT: ${errorMessage(error)}; check HOST and the ports`,
    )
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof StartupError ? error.message : error)
  process.exit(1)
})
