import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { ROOT } from '../src/stack.ts'
import { embedOn, expect, test } from './examples.ts'

/** Runs on a server, which has no elements. */
const SERVER = `
  import * as all from '@anniversary/mf-megalive'
  import { defineMegaLive } from '@anniversary/mf-megalive/element'
  defineMegaLive()
  console.log(Object.keys(all).sort().join())`

const TYPED = `
  import '@anniversary/mf-megalive'
  import type { MegaLiveEvents } from '@anniversary/mf-megalive/element'
  const embed = document.createElement('mega-live')
  embed.src = 'https://live.example/'
  embed.timeout = 5000
  embed.addEventListener('mega-live-ready', ({ detail }) => detail.ms.toFixed())
  document.addEventListener('mega-live-back', (event) => event.detail.href.trim())
  export const by = (event: MegaLiveEvents['mega-live-ready']): 'load' | 'message' => event.detail.by
  export const phase: 'idle' | 'loading' | 'shown' | 'fallback' | 'blocked' | 'refused' = embed.phase
  // @ts-expect-error
  embed.addEventListener('mega-live-ready', ({ detail }) => detail.nothing)`

test('the packed npm package, in a project that has nothing else: a server, a strict compiler and a page take it', {
  tag: '@nightly',
}, async ({ page, examples }) => {
  const project = mkdtempSync(join(tmpdir(), 'mega-live-project-'))
  const run = (program: string, args: string, cwd = project) =>
    execFileSync(program, args.split(' '), { cwd, encoding: 'utf8' }).trim()
  try {
    const megalive = join(ROOT, 'mf-megalive')
    // The template has built the rest; to build it again would remove files that a running stack serves.
    run('npm', 'run build:types --silent', megalive)
    run('npm', `pack --ignore-scripts --silent --pack-destination ${project}`, megalive)
    writeFileSync(join(project, 'package.json'), '{ "name": "brand", "type": "module", "private": true }')
    run('npm', 'install ./anniversary-mf-megalive-1.0.0.tgz --no-audit --no-fund --omit=peer --silent')

    writeFileSync(join(project, 'server.js'), SERVER)
    expect(run('node', 'server.js')).toBe('MegaLiveElement,defineMegaLive')

    writeFileSync(join(project, 'page.ts'), TYPED)
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    run('node', `${tsc} --noEmit --strict --target es2022 --module nodenext --lib es2022,dom page.ts`)

    const dist = join(project, 'node_modules/@anniversary/mf-megalive/npm/dist')
    await page.route('**/packed/*', (route) =>
      route.fulfill({ path: join(dist, basename(route.request().url())) }),
    )
    await page.goto(`${examples.pages}/`)
    await page.addScriptTag({ type: 'module', url: '/packed/index.js' })
    await page.evaluate((src) => {
      document.body.innerHTML = `<mega-live src="${src}"></mega-live>`
    }, `${examples.live}/ready`)
    await expect(embedOn(page).frame.getByRole('heading', { name: 'Trang biết nói' })).toBeVisible()
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
})
