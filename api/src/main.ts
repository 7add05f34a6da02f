import closeWithGrace from 'close-with-grace'
import { createApi, StartupError } from './create-api.ts'
import { readConfig } from './server/config.ts'

const GRACE_MS = 15_000

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const api = await createApi(config)
  closeWithGrace({ delay: GRACE_MS }, async ({ err }) => {
    if (err) api.app.log.fatal({ err }, 'stopping after a failure')
    await api.close()
  })
  try {
    const origin = await api.app.listen({ port: config.port, host: config.host })
    // For a parent that has forked it: the address, and an end of its own when the parent dies.
    process.send?.(origin)
    process.once('disconnect', () => process.kill(process.pid))
  } catch (error) {
    await api.close()
    throw new StartupError(`cannot listen on ${config.host}:${config.port}: ${String(error)}`)
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof StartupError ? error.message : error)
  process.exit(1)
})
