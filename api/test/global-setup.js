// Plain JavaScript: Jest loads this file outside its own transform; the helpers behind it are TypeScript, run by tsx.
import { register } from 'tsx/esm/api'

/** Prepares the embedded database's dump, and starts one private Postgres unless TEST_DATABASE_URL names a server. */
// biome-ignore lint/style/noDefaultExport: Jest asks for it
export default async function setup() {
  const unregister = register()
  const { preparePgliteSnapshot } = await import('./pglite-snapshot.ts')
  const { startPostgres } = await import('./postgres.ts')
  await preparePgliteSnapshot()
  if (!process.env.TEST_DATABASE_URL) {
    globalThis.apiTestPostgres = await startPostgres('-c fsync=off -c synchronous_commit=off')
    process.env.TEST_DATABASE_URL = globalThis.apiTestPostgres.url
  }
  await unregister()
}
