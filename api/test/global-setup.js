// Plain JavaScript: Jest loads this file outside its own transform; the helpers behind it are TypeScript, run by tsx.
import { register } from 'tsx/esm/api'

/** Bundles server and commands, which tests run as they are deployed, and starts the one Postgres of the run. */
// biome-ignore lint/style/noDefaultExport: Jest asks for it
export default async function setup() {
  const unregister = register()
  await import('../build.ts')
  const { startTestServer } = await import('./database.ts')
  globalThis.apiTestServer = await startTestServer()
  await unregister()
}
