import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { developmentPolicy, developmentRelease } from '@anniversary/build/dev/in-site'
import { routesIn, trustedTypesIn } from '@anniversary/build/packages'
import { HOST_NAME } from '@anniversary/deploy/builds/read-build'
import { headerRules } from '@anniversary/deploy/serve/headers'
import { serveSite } from '@anniversary/deploy/serve/server'
import { compositionFile } from '@anniversary/deploy/site/compose'
import { pathOfPage, renderPage } from '@anniversary/deploy/site/page'
import { jsonBytes } from '@anniversary/deploy/target/target'
import routes from '@anniversary/shared/campaign/routes.json' with { type: 'json' }
import type { Composition, HostBuild } from '@anniversary/shared/contract/composition'
import type { PublicConfig } from '@anniversary/shared/contract/config'
import { HOST_CONTRACT } from '@anniversary/shared/contract/host'
import { siteRoutes } from '@anniversary/shared/contract/routes'
import type { DevServerMiddlewareHandler } from '@rspack/core'
import { buildablePackages } from '../start/workspace-builds.ts'

/** Paths that the bundler, its dev server or the API answer. */
const NOT_OURS = /^\/([^/]+\/dev\/|rspack-dev-server|(api|healthz|livez|metrics)([/?]|$))/

const remotes = buildablePackages.filter(({ name }) => name !== HOST_NAME)

/**
 * Serves pages, composition and headers as `deploy` would publish them, for
 * builds that a dev server keeps in memory.
 */
export function developmentSite(config: PublicConfig): DevServerMiddlewareHandler {
  const composition: Composition = {
    number: 1,
    createdAt: new Date().toISOString(),
    // The bundler serves `/shell/dev/main.js` and the rest of that folder.
    shell: { version: 'dev', contract: HOST_CONTRACT },
    remotes: Object.fromEntries(
      remotes.map(({ name, folder }) => [
        name,
        {
          status: 'on',
          current: developmentRelease(name, routesIn(folder), trustedTypesIn(folder)),
        },
      ]),
    ),
  }
  const host: HostBuild = {
    kind: 'host',
    name: HOST_NAME,
    version: '0.0.0',
    contract: HOST_CONTRACT,
    files: {},
    shared: {},
    firstScript: 'first.js',
    entry: { js: ['core.js', 'main.js'], css: ['main.css'] },
    routes,
    client: { js: [], css: [] },
  }
  const { path: wholePath, bytes } = compositionFile(composition)
  const files = new Map([
    [wholePath, bytes],
    ['composition.json', bytes],
    ['config.json', jsonBytes(config)],
  ])
  for (const [path, route] of Object.entries(siteRoutes(routes, composition.remotes)))
    files.set(pathOfPage(path), Buffer.from(renderPage({ composition, config, host, path, route })))

  const publicFile = (path: string) =>
    Promise.any(remotes.map(({ folder }) => readFile(join(folder, 'public', path)))).catch(
      () => null,
    )
  const read = async (path: string) => files.get(path) ?? (await publicFile(path))
  const rules = headerRules(composition, config).map((rule) => {
    if (rule.name !== 'page') return rule
    // Files of a development build have no hash.
    const {
      'integrity-policy': _,
      'content-security-policy': policy = '',
      ...headers
    } = rule.headers
    return {
      ...rule,
      headers: { ...headers, 'content-security-policy': developmentPolicy(policy) },
    }
  })
  const serve = serveSite({ read }, async () => rules)
  return (request, response, next) => {
    if (NOT_OURS.test(request.url ?? '/')) next()
    else serve(request, response).catch(next)
  }
}
