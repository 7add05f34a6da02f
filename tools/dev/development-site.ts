import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { developmentPolicy } from '@anniversary/build/dev/policy'
import { developmentRelease } from '@anniversary/build/dev/release'
import { headerRules } from '@anniversary/deploy/serve/headers'
import { serveSite } from '@anniversary/deploy/serve/static'
import { pagePath, renderPage } from '@anniversary/deploy/site/page'
import { wholeFile } from '@anniversary/deploy/site/whole-file'
import { jsonBytes } from '@anniversary/deploy/target/target'
import type { Composition, HostBuild, Route } from '@anniversary/shared/contract/composition'
import type { PublicConfig } from '@anniversary/shared/contract/config'
import { HOST_CONTRACT } from '@anniversary/shared/contract/host'
import type { DevServerMiddlewareHandler } from '@rspack/core'

export type Routes = Readonly<Record<string, Route>>

/** The version of every package; the bundler serves `/mf-auth/dev/entry.js` and the rest of that folder. */
const VERSION = 'dev'
/** What others answer: the bundler, its dev server, the API. */
const NOT_OURS = /^\/([^/]+\/dev\/|rspack-dev-server|(api|healthz|livez|metrics)([/?]|$))/

/** Packages of the remotes that a route shows. */
export const remotesOf = (routes: Routes): string[] => [
  ...new Set(Object.values(routes).flatMap(({ remote }) => remote ?? [])),
]

function compositionOf(routes: Routes): Composition {
  const exposes = (name: string) =>
    Object.values(routes).flatMap(({ remote, expose }) => (remote === name && expose ? [expose] : []))
  return {
    number: 1,
    createdAt: new Date().toISOString(),
    shell: { version: VERSION, contract: HOST_CONTRACT },
    remotes: Object.fromEntries(
      remotesOf(routes).map((name) => [
        name,
        { status: 'on', current: developmentRelease(name, exposes(name)) },
      ]),
    ),
  }
}

/**
 * The site of `npm run dev`: pages, composition and headers as `deploy` would publish them, of builds that a dev server
 * keeps in memory, and the files below the remotes' `public/`.
 */
export function developmentSite(
  root: string,
  routes: Routes,
  config: PublicConfig,
): DevServerMiddlewareHandler {
  const composition = compositionOf(routes)
  const host: HostBuild = {
    kind: 'host',
    name: 'shell',
    version: '0.0.0',
    contract: HOST_CONTRACT,
    files: {},
    shared: {},
    entry: { js: ['core.js', 'main.js'], css: ['main.css'] },
    routes: { ...routes },
    routeAssets: {},
  }
  const { path: wholePath, bytes, ...whole } = wholeFile(composition)
  const files = new Map([
    [wholePath, bytes],
    ['composition.json', bytes],
    ['config.json', jsonBytes(config)],
  ])
  for (const route of Object.keys(routes))
    files.set(pagePath(route), Buffer.from(renderPage({ composition, whole, config, host, route })))

  const publicFile = (path: string) =>
    Promise.any(remotesOf(routes).map((name) => readFile(join(root, name, 'public', path)))).catch(() => null)
  const read = async (path: string) => {
    const bytes = files.get(path) ?? (await publicFile(path))
    return bytes && { bytes, etag: createHash('sha256').update(bytes).digest('hex') }
  }
  const rules = headerRules(composition, config).map((rule) => {
    const policy = rule.headers['content-security-policy']
    return rule.name !== 'page' || !policy
      ? rule
      : { ...rule, headers: { ...rule.headers, 'content-security-policy': developmentPolicy(policy) } }
  })
  const serve = serveSite({ read }, async () => rules)
  return (request, response, next) => {
    if (NOT_OURS.test(request.url ?? '/')) next()
    else serve(request, response).catch(next)
  }
}
