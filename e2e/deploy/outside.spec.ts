import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyTemplate } from '@anniversary/tools/new-remote/copy-template'
import { editSource } from '../src/copy-sources.ts'
import { startRemoteDev } from '../src/remote-dev.ts'
import { ROOT } from '../src/stack.ts'
import { expect, logIn, test } from '../src/test.ts'

/** A team that keeps its remote in a repository of its own: its only ties are the packed packages. */

const PACKED = ['build', 'deploy', 'shared']

type Manifest = Record<'dependencies' | 'devDependencies', Record<string, string>>

test('a remote in its own repository builds, tests and publishes @nightly', async ({ page, stack }) => {
  test.setTimeout(420_000)
  const folder = await mkdtemp(join(tmpdir(), 'outside-'))
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    const workspaces = PACKED.flatMap((name) => ['-w', name])
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, ...workspaces], { cwd: ROOT })
    copyTemplate(folder, 'mf-history', 3001)
    await editSource(folder, 'routes.json', '"/history"', '"/histories"')

    // In place of a registry: the packed files, also for the packages among themselves.
    const packed = Object.fromEntries(
      PACKED.map((name) => [`@anniversary/${name}`, `file:anniversary-${name}-1.0.0.tgz`]),
    )
    const { '@anniversary/shared': shared, ...tools } = packed
    const file = join(folder, 'package.json')
    const manifest = JSON.parse(await readFile(file, 'utf8')) as Manifest // our own template
    const own = {
      ...manifest,
      version: '7.0.0',
      dependencies: { ...manifest.dependencies, '@anniversary/shared': shared },
      devDependencies: { ...manifest.devDependencies, ...tools },
      overrides: packed,
    }
    await writeFile(file, JSON.stringify(own))

    run('npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error')
    for (const script of ['types', 'test', 'build']) run('npm', 'run', script, '--silent')
    const dev = await startRemoteDev(folder, 'node_modules/.bin/remote-dev', stack.url)
    await logIn(page, dev.url, 'demo03', '9999')
    await page.getByRole('button', { name: /Lịch sử/ }).click()
    await expect(page.getByRole('heading', { name: 'Trang mới' })).toBeVisible()
    // An open page would report that its dev server is gone.
    await page.goto('about:blank')
    await dev.stop()

    run('npx', 'deploy', 'publish', 'dist', '--site', stack.siteDir, '--no-smoke')

    await logIn(page, stack.url, 'demo03', '9999')
    await page.getByRole('button', { name: /Lịch sử/ }).click()
    await expect(page.getByRole('heading', { name: 'Trang mới' })).toBeVisible()
    run('npx', 'deploy', 'rollback', 'mf-history', '--site', stack.siteDir)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
