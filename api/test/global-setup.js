// Plain JavaScript: Jest loads this file outside its own transform; the helper behind it is TypeScript, run by tsx.
import { register } from 'tsx/esm/api'

/** Starts one private Postgres for all test files, unless TEST_DATABASE_URL names a server. */
// biome-ignore lint/style/noDefaultExport: Jest asks for it
export default async function setup() {
  if (process.env.TEST_DATABASE_URL) return
  const unregister = register()
  const { startPostgres } = await import('./postgres.ts')
  await unregister()
  globalThis.apiTestPostgres = await startPostgres('-c fsync=off -c synchronous_commit=off')
  process.env.TEST_DATABASE_URL = globalThis.apiTestPostgres.url
}
