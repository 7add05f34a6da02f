import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '../src/server.ts'
import { ROOT } from '../src/stack.ts'
import { embedOn, expect, test } from './examples.ts'

/** The packed npm package in a project that has nothing else. */
let project: string

test.beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'mega-live-project-'))
  const npm = (cwd: string, ...args: string[]) =>
    execFileSync('npm', [...args, '--silent'], { cwd, encoding: 'utf8' })
  const megalive = join(ROOT, 'mf-megalive')
  // The template has built the rest; to build it again would remove files that a running stack serves.
  npm(megalive, 'run', 'build:types')
  npm(megalive, 'pack', '--ignore-scripts', '--pack-destination', project)
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ name: 'brand', type: 'module', private: true }),
  )
  npm(project, 'install', './anniversary-mf-megalive-1.0.0.tgz', '--no-audit', '--no-fund', '--omit=peer')
})

test.afterAll(() => rmSync(project, { recursive: true, force: true }))

test('a server may import it', { tag: '@nightly' }, () => {
  writeFileSync(
    join(project, 'server.js'),
    `import * as all from '@anniversary/mf-megalive'
     import { defineMegaLive } from '@anniversary/mf-megalive/element'
     defineMegaLive()
     console.log(Object.keys(all).sort().join())`,
  )
  expect(execFileSync('node', ['server.js'], { cwd: project, encoding: 'utf8' }).trim()).toBe(
    'MegaLiveElement,defineMegaLive',
  )
})

test('its types hold a strict project, and catch what is wrong', { tag: '@nightly' }, () => {
  const check = (source: string): string => {
    writeFileSync(join(project, 'page.ts'), source)
    try {
      execFileSync(
        process.execPath,
        [
          join(ROOT, 'node_modules/typescript/bin/tsc'),
          ...'--noEmit --strict --target es2022 --module nodenext --types --lib es2022,dom page.ts'
            .replace('--types ', '')
            .split(' '),
        ],
        { cwd: project, encoding: 'utf8', stdio: 'pipe' },
      )
      return ''
    } catch (error) {
      // What execFileSync throws.
      return (error as { stdout: string }).stdout
    }
  }
  expect(
    check(`import '@anniversary/mf-megalive'
      import type { MegaLiveEvents } from '@anniversary/mf-megalive/element'
      const embed = document.createElement('mega-live')
      embed.src = 'https://live.example/'
      embed.timeout = 5000
      embed.addEventListener('mega-live-ready', ({ detail }) => detail.ms.toFixed())
      document.addEventListener('mega-live-back', (event) => event.detail.href.trim())
      export const by = (event: MegaLiveEvents['mega-live-ready']): 'load' | 'message' => event.detail.by
      export const phase: 'idle' | 'loading' | 'shown' | 'fallback' | 'blocked' | 'refused' = embed.phase`),
  ).toBe('')
  expect(
    check(`import '@anniversary/mf-megalive'
      document.createElement('mega-live').addEventListener('mega-live-ready', ({ detail }) => detail.nothing)`),
  ).toContain("'nothing' does not exist")
})

test('a page without a bundler can import it as a module', { tag: '@nightly' }, async ({
  page,
  examples,
}) => {
  const folder = join(project, 'node_modules/@anniversary/mf-megalive/npm/dist')
  const server = await serve((request, response) => {
    const file = join(folder, request.url?.slice(1) ?? '')
    if (request.url === '/') {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(
        `<script type="module" src="/index.js"></script><mega-live src="${examples.live}/ready"></mega-live>`,
      )
    } else if (existsSync(file)) {
      response.setHeader('content-type', 'text/javascript')
      response.end(readFileSync(file))
    } else response.writeHead(404).end()
  })
  await page.goto(`http://localhost:${server.port}/`)
  await expect(embedOn(page).frame.getByRole('heading', { name: 'Trang biết nói' })).toBeVisible()
  await server.close()
})
