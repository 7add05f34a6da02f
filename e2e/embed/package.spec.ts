import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../src/stack.ts'
import { test } from '../src/test.ts'

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
  const run = (program: string, args: string, cwd = project) =>
    execFileSync(program, args.split(' '), { cwd, encoding: 'utf8' }).trim()
  try {
    const megalive = join(ROOT, 'mf-megalive')
    // The template has built the rest; to build it again would remove files that a running stack serves.
    run('npm', 'run build:types --silent', megalive)
    run('npm', `pack --ignore-scripts --silent --pack-destination ${project}`, megalive)
    writeFileSync(
      join(project, 'package.json'),
      '{ "name": "brand", "type": "module", "private": true }',
    )
    run('npm', 'install ./anniversary-mf-megalive-1.0.0.tgz --no-audit --no-fund --silent')

    writeFileSync(join(project, 'server.js'), "import '@anniversary/mf-megalive'")
    run('node', 'server.js')

    writeFileSync(join(project, 'page.ts'), TYPED)
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    run(
      'node',
      `${tsc} --noEmit --strict --target es2022 --module nodenext --lib es2022,dom page.ts`,
    )
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
})
