import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { developmentPolicy } from '@anniversary/build/dev/policy'
import { developmentRelease } from '@anniversary/build/dev/release'
import { headerRules } from '@anniversary/deploy/serve/headers'
import { serveSite } from '@anniversary/deploy/serve/server'
import { wholeFile } from '@anniversary/deploy/site/compose'
import { pagePath, renderPage } from '@anniversary/deploy/site/page'
import { jsonBytes } from '@anniversary/deploy/target/target'
import type { Composition, HostBuild, RemoteRoutes, Route } from '@anniversary/shared/contract/composition'
import type { PublicConfig } from '@anniversary/shared/contract/config'
import { HOST_CONTRACT } from '@anniversary/shared/contract/host'
import { siteRoutes } from '@anniversary/shared/contract/routes'
import type { DevServerMiddlewareHandler } from '@rspack/core'
import { ROOT } from '../packages.ts'

/** The version of every package; the bundler serves `/mf-auth/dev/entry.js` and the rest of that folder. */
const VERSION = 'dev'
/** What others answer: the bundler, its dev server, the API. */
const NOT_OURS = /^\/([^/]+\/dev\/|rspack-dev-server|(api|healthz|livez|metrics)([/?]|$))/

export type RoutesOfRemotes = Readonly<Record<string, RemoteRoutes>>

const compositionOf = (remotes: RoutesOfRemotes): Composition => ({
  number: 1,
  createdAt: new Date().toISOString(),
  shell: { version: VERSION, contract: HOST_CONTRACT },
  remotes: Object.fromEntries(
    Object.entries(remotes).map(([name, routes]) => [
      name,
      { status: 'on', current: developmentRelease(name, routes) },
    ]),
  ),
})

/** Pages, composition and headers as `deploy` would publish them, of builds that a dev server keeps in memory. */
export function developmentSite(
  own: Readonly<Record<string, Route>>,
  remotes: RoutesOfRemotes,
  config: PublicConfig,
): DevServerMiddlewareHandler {
  const composition = compositionOf(remotes)
  const host: HostBuild = {
    kind: 'host',
    name: 'shell',
    version: '0.0.0',
    contract: HOST_CONTRACT,
    files: {},
    shared: {},
    firstScript: 'first.js',
    entry: { js: ['core.js', 'main.js'], css: ['main.css'] },
    routes: { ...own },
    client: { js: [], css: [] },
  }
  const { path: wholePath, bytes } = wholeFile(composition)
  const files = new Map([
    [wholePath, bytes],
    ['composition.json', bytes],
    ['config.json', jsonBytes(config)],
  ])
  for (const path of Object.keys(siteRoutes(own, composition.remotes)))
    files.set(pagePath(path), Buffer.from(renderPage({ composition, config, host, path })))

  const publicFile = (path: string) =>
    Promise.any(Object.keys(remotes).map((name) => readFile(join(ROOT, name, 'public', path)))).catch(
      () => null,
    )
  const read = async (path: string) => files.get(path) ?? (await publicFile(path))
  const rules = headerRules(composition, config).map((rule) => {
    // Files in the making have no hash.
    const { 'content-security-policy': policy, 'integrity-policy': _, ...headers } = rule.headers
    return rule.name !== 'page' || !policy
      ? rule
      : { ...rule, headers: { ...headers, 'content-security-policy': developmentPolicy(policy) } }
  })
  const serve = serveSite({ read }, async () => rules)
  return (request, response, next) => {
    if (NOT_OURS.test(request.url ?? '/')) next()
    else serve(request, response).catch(next)
  }
}
