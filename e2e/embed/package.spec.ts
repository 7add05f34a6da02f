import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
