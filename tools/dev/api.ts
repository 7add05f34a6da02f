import { createApi, StartupError } from '@anniversary/api'
import { readConfig } from '@anniversary/api/config'

/** The API of `npm run dev`, in a process of its own, on a free port that it reports to its parent. */

async function main(): Promise<void> {
  const opening = createApi({ config: readConfig(process.env) })
  const stop = () => {
    opening
      .then((api) => api.close())
      .then(
        () => process.exit(0),
        () => process.exit(1),
      )
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  // Its parent has died without a signal.
  process.once('disconnect', stop)
  const api = await opening
  process.send?.(await api.app.listen({ host: '127.0.0.1', port: 0 }))
}

main().catch((error: unknown) => {
  // A branch with another schema may have left the database.
  const todo = `If another branch left a schema there, start with an empty database: rm -r ${process.env.DATA_DIR}`
  const why = error instanceof StartupError ? `${error.message}\n${todo}` : String(error)
  console.error(error instanceof StartupError ? why : error)
  process.send?.({ why }, () => process.exit(1))
})
