import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { HOST_CONTRACT, type Host, type PageProps } from '@anniversary/shared/contract/host'
import { prerenderFaults } from '@anniversary/shared/contract/prerendered'
import { Compilation, type Compiler, type Configuration, rspack, sources } from '@rspack/core'
import type { FunctionComponent } from 'react'
import { atCompilationStage } from './at-stage.ts'
import type { BaseConfig } from './base.ts'

const compilePages = (config: Configuration): Promise<void> =>
  new Promise((resolve, reject) => {
    rspack(config, (error, stats) => {
      if (error) reject(error)
      else if (stats?.hasErrors()) reject(new Error(stats.toString('errors-only')))
      else resolve()
    })
  })

interface HtmlOptions<Modules> {
  readonly config: BaseConfig
  readonly entry: Readonly<Record<keyof Modules & string, string>>
  readonly render: (modules: Modules) => Readonly<Record<string, string>>
}

/** `deploy` replaces `%BASE%/FILE` by that file's URL. */
async function loadInNode<Modules>({ config, entry }: HtmlOptions<Modules>): Promise<Modules> {
  const folder = path.join(config.context, '.cache/prerender')
  await compilePages({
    ...config,
    target: 'node20',
    devtool: false as const,
    entry,
    output: {
      ...config.output,
      path: folder,
      publicPath: '%BASE%/',
      filename: '[name].cjs',
      library: { type: 'commonjs2' },
    },
    externals: [/^(react|react-dom)(\/|$)/],
    externalsType: 'commonjs',
  })
  const require = createRequire(import.meta.url)
  const load = (name: string): [string, unknown] => [
    name,
    require(path.join(folder, `${name}.cjs`)),
  ]
  return Object.fromEntries(Object.keys(entry).map(load)) as Modules
}

const END_MS = 5_000

/**
 * Ends a process that a page's timer or channel would keep for ever. Without
 * its manifest, the build is not taken for a good one.
 */
function endLater(output: string): void {
  setTimeout(() => {
    rmSync(path.join(output, 'build.json'), { force: true })
    console.error(
      'A prerendered page starts a timer or a channel when it is imported or rendered, which never ends: start it in an effect.',
    )
    process.exit(1)
  }, END_MS).unref()
}

export const htmlFiles = <Modules>(options: HtmlOptions<Modules>) => ({
  apply(compiler: Compiler) {
    let modules: Modules
    compiler.hooks.beforeRun.tapPromise('html', async () => {
      modules = await loadInNode(options)
      compiler.hooks.shutdown.tap('html', () => endLater(compiler.outputPath))
    })
    // After `ownNames`, before the files are listed.
    atCompilationStage('html', Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_HASH, (compilation) => {
      for (const [file, html] of Object.entries(options.render(modules)))
        compilation.emitAsset(file, new sources.RawSource(withoutPreloads(html)))
    }).apply(compiler)
  },
})

/**
 * @param dir of the remote, whose React it imports
 * @throws Error when it would not hydrate
 */
export function prerenderPage(
  dir: string,
  name: string,
  Page: FunctionComponent<PageProps>,
): string {
  const require = createRequire(path.join(dir, 'package.json'))
  const { createElement } = require('react') as typeof import('react')
  const { renderToString } = require('react-dom/server') as typeof import('react-dom/server')
  const html = withoutPreloads(renderToString(createElement(Page, { host: buildTimeHost() })))
  const faults = prerenderFaults(html)
  if (faults.length > 0) throw new Error(`${name} cannot be prerendered: ${faults.join('; ')}`)
  return html
}

/** Hydration does not expect React's preloads of pictures. */
const withoutPreloads = (html: string) => html.replace(/^(<link rel="preload"[^>]*>)+/, '')

/** Handlers and effects may use these. */
const FUNCTIONS: { readonly [Part in PortOfFunctions]: Readonly<Record<keyof Host[Part], true>> } =
  {
    api: {
      login: true,
      updateInfo: true,
      missions: true,
      takeCode: true,
      history: true,
      draws: true,
      check: true,
      tradeGiftcode: true,
    },
    session: { current: true, start: true, clear: true, subscribe: true },
    notify: { success: true, info: true, warning: true, error: true },
    rules: { open: true },
    clock: { now: true, isSet: true, spread: true },
  }
type PortOfFunctions = 'api' | 'session' | 'notify' | 'rules' | 'clock'

/** A page that asks this host for anything fails the build. */
export function buildTimeHost(): Host {
  const refuse = (what: string) => (): never => {
    throw new Error(
      `a prerendered page reads host.${what} while it renders: read it in an effect or a handler, or do not prerender the page`,
    )
  }
  /** Members of a later contract are unknown at build time. */
  const only = (members: Readonly<Record<string, unknown>>, path = '') =>
    new Proxy(members, {
      get: (_, key) => members[String(key)] ?? refuse(path + String(key))(),
    })
  const functionsOf = (part: PortOfFunctions) => {
    const names = Object.keys(FUNCTIONS[part])
    const calls = names.map((name) => [name, refuse(`${part}.${name}()`)])
    return only(Object.fromEntries(calls), `${part}.`)
  }
  const host = {
    contract: HOST_CONTRACT,
    config: only({}, 'config.'),
    api: functionsOf('api'),
    session: functionsOf('session'),
    notify: functionsOf('notify'),
    rules: functionsOf('rules'),
    clock: functionsOf('clock'),
    navigate: refuse('navigate()'),
    reload: refuse('reload()'),
  } satisfies Record<keyof Host, unknown>
  return only(host) as unknown as Host // its functions return nothing
}
