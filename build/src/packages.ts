import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { API_CONTRACT } from '@anniversary/shared/contract/api-version'
import type { RemoteRoutes } from '@anniversary/shared/contract/composition'
import { HOST_CONTRACT } from '@anniversary/shared/contract/host'

const require = createRequire(import.meta.url)

const readManifest = (dir: string) =>
  JSON.parse(readFileSync(path.join(dir, 'package.json'), 'utf8')) as {
    name: string
    version: string
    trustedTypes?: string[]
  } // npm requires name and version; `deploy` validates the rest

export const installedVersion = (name: string): string =>
  readManifest(path.dirname(require.resolve(`${name}/package.json`))).version

/** Name in a site and in URLs, without the scope. */
export const packageNameOf = (dir: string): string =>
  readManifest(dir).name.replace(/^@[^/]+\//, '')

export const identityOf = (dir: string) => ({
  name: packageNameOf(dir),
  version: readManifest(dir).version,
  contract: HOST_CONTRACT,
  api: API_CONTRACT,
})

/** Policies that libraries inside a remote create. */
export const trustedTypesIn = (dir: string): readonly string[] =>
  readManifest(dir).trustedTypes ?? []

export function routesIn(dir: string): RemoteRoutes {
  const file = path.join(dir, 'routes.json')
  if (!existsSync(file)) return {}
  return JSON.parse(readFileSync(file, 'utf8')) as RemoteRoutes // `deploy` validates it
}
