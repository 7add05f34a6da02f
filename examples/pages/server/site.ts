import { readFile } from 'node:fs/promises'
import { join, normalize } from 'node:path'
import { buildSchema, type RemoteBuild } from '@anniversary/shared/contract/composition'
import { type Handler, typeOf } from './http.ts'

const dist = join(import.meta.dirname, '../../../mf-megalive/dist')
const VERSION = '1.0.0-000000000000'
const FOLDER = `/mf-megalive/${VERSION}/`

async function readBuild(): Promise<RemoteBuild> {
  const build = buildSchema.parse(JSON.parse(await readFile(join(dist, 'build.json'), 'utf8')))
  if (build.kind !== 'remote') throw new Error('mf-megalive is not built as a remote')
  return build
}

const SCRIPT = 'embed/mega-live.js'

/** Address of the script in its version folder, and its hash: what a page that pins it writes. */
export async function pinned(): Promise<{ path: string; integrity: string }> {
  const { [SCRIPT]: script } = (await readBuild()).files
  return { path: FOLDER + SCRIPT, integrity: script?.integrity ?? '' }
}

/** As much of the published site as a foreign page needs: public files, one version folder, the composition. */
export const site: Handler = async (_, response, url) => {
  const build = await readBuild()
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader('cross-origin-resource-policy', 'cross-origin')
  if (url.pathname === '/composition.json') {
    response.setHeader('content-type', typeOf('.json'))
    const current = { version: VERSION, entry: FOLDER + build.entry, container: build.container }
    return response.end(JSON.stringify({ number: 1, remotes: { 'mf-megalive': { status: 'on', current } } }))
  }
  const inFolder = url.pathname.startsWith(FOLDER) ? url.pathname.slice(FOLDER.length) : undefined
  const file = build.publicFiles?.[url.pathname] ?? inFolder
  if (!file || normalize(file).startsWith('..')) return response.writeHead(404).end()
  const bytes = await readFile(join(dist, file)).catch(() => undefined)
  if (!bytes) return response.writeHead(404).end()
  response.setHeader('content-type', typeOf(file))
  return response.end(bytes)
}
