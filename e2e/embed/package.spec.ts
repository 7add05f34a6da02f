import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../src/stack.ts'
import { expect, test } from '../src/test.ts'

const TYPED = `
  import '@anniversary/mf-megalive'
  import type { MegaLiveEvents, Phase } from '@anniversary/mf-megalive'
  const embed = document.createElement('mega-live')
  embed.setAttribute('src', 'https://live.example/')
  embed.addEventListener('mega-live-ready', ({ detail }) => detail.ms.toFixed())
  document.addEventListener('mega-live-back', (event) => event.detail.href.trim())
  export const by = (event: MegaLiveEvents['mega-live-ready']): 'load' | 'message' => event.detail.by
  export const phase: Phase = embed.phase
  // @ts-expect-error
  embed.addEventListener('mega-live-ready', ({ detail }) => detail.nothing)`

test('the packed npm package works on a server and under strict types', {
  tag: '@nightly',
}, () => {
  const project = mkdtempSync(join(tmpdir(), 'mega-live-project-'))
  const run = (cwd: string, program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd })
  try {
    const megalive = join(ROOT, 'mf-megalive')
    // The template has built the rest; to build it again would remove files
    // that a running stack serves.
    run(megalive, 'npm', 'run', 'build:types', '--silent')
    run(megalive, 'npm', 'pack', '--ignore-scripts', '--silent', '--pack-destination', project)
    writeFileSync(
      join(project, 'package.json'),
      '{ "name": "brand", "type": "module", "private": true }',
    )
    const archive = './anniversary-mf-megalive-1.0.0.tgz'
    run(project, 'npm', 'install', archive, '--no-audit', '--no-fund', '--silent')

    const installed = join(project, 'node_modules/@anniversary/mf-megalive')
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    expect(manifest.engines, 'Yarn 1 compares it, and the browser has no Node').toBeUndefined()
    // For bundlers and compilers that do not know `exports`.
    const { main, types, typesVersions } = manifest
    for (const file of [main, types, ...typesVersions['*'].jsx])
      expect(existsSync(join(installed, file)), file).toBe(true)

    writeFileSync(join(project, 'server.js'), "import '@anniversary/mf-megalive'")
    run(project, 'node', 'server.js')

    writeFileSync(join(project, 'page.ts'), TYPED)
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    const options = '--noEmit --strict --target es2022 --module nodenext --lib es2022,dom'
    run(project, 'node', tsc, ...options.split(' '), 'page.ts')
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
})

/** A host of a brand's own, by upstream's plugin alone. */
const hostConfig = (site: string) => `
const { ModuleFederationPlugin } = require('@module-federation/enhanced/rspack')
module.exports = {
  entry: './page.ts',
  mode: 'production',
  resolve: { extensions: ['.ts', '.js'] },
  module: { rules: [{ test: /\\.ts$/, loader: 'builtin:swc-loader', options: { jsc: { parser: { syntax: 'typescript' } } } }] },
  plugins: [
    new ModuleFederationPlugin({
      name: 'brand',
      remotes: { 'mf-megalive': 'mf-megalive@${site}/mf-megalive/mf-manifest.json' },
      dts: { generateTypes: false, consumeTypes: { typesOnBuild: true } },
    }),
  ],
}`

const HOST_PAGE = `
  import { loadRemote } from '@module-federation/enhanced/runtime'
  import type { MegaLiveEvents } from 'mf-megalive/mega-live'
  void import('mf-megalive/mega-live')
  loadRemote('mf-megalive/mega-live').then((module) => {
    const typed: typeof import('mf-megalive/mega-live') = module
    return typed
  })
  const embed = document.createElement('mega-live')
  embed.addEventListener('mega-live-ready', ({ detail }) => detail.ms.toFixed())
  export const by = (event: MegaLiveEvents['mega-live-ready']): 'load' | 'message' => event.detail.by
  // @ts-expect-error
  embed.addEventListener('mega-live-ready', ({ detail }) => detail.nothing)
  // @ts-expect-error
  loadRemote('mf-megalive/mega-live').then((module) => module.nothing)`

test('a host of upstream’s plugin gets the types that the manifest names', ({ stack }) => {
  const project = mkdtempSync(join(tmpdir(), 'foreign-host-'))
  const run = (script: string, ...args: string[]) =>
    execFileSync('node', [join(ROOT, 'node_modules', script), ...args], { cwd: project })
  try {
    symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'))
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2022',
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2022', 'dom'],
      types: [],
      // Upstream's own declarations of `loadRemote` are no valid ones.
      skipLibCheck: true,
      paths: { 'mf-megalive/*': ['./@mf-types/mf-megalive/*'] },
    }
    const files = ['page.ts', '@mf-types/index.d.ts']
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
    writeFileSync(join(project, 'rspack.config.cjs'), hostConfig(stack.url))
    writeFileSync(join(project, 'page.ts'), HOST_PAGE)
    run('@rspack/cli/bin/rspack.js', 'build', '--config', 'rspack.config.cjs')
    run('typescript/bin/tsc')
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
})
