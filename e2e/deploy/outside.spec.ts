import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { remoteFiles } from '@anniversary/tools/new-remote/files'
import { ROOT } from '../src/stack.ts'
import { expect, logIn, test } from '../src/test.ts'

/** A team that keeps its remote in a repository of its own: its only ties are the packed packages. */

const SHARED_TOOLS = [
  '@module-federation/enhanced',
  '@module-federation/runtime',
  '@module-federation/runtime-core',
  '@module-federation/webpack-bundler-runtime',
  '@rspack/cli',
  '@rspack/core',
  '@rspack/dev-server',
  '@rspack/plugin-react-refresh',
  '@swc/core',
  '@swc/jest',
  '@testing-library/dom',
  '@testing-library/jest-dom',
  '@types/jest',
  '@types/node',
  '@types/react',
  '@types/react-dom',
  'jest',
  'jest-environment-jsdom',
  'react-refresh',
  'typescript',
]

type Manifest = Record<'dependencies' | 'devDependencies', Record<string, string>>

/** The versions that these packages ask for, by name. */
function rangesOf(...folders: readonly string[]): Record<string, string> {
  return Object.assign(
    {},
    ...folders.map((folder) => {
      const manifest = readFileSync(join(ROOT, folder, 'package.json'), 'utf8')
      const { dependencies, devDependencies } = JSON.parse(manifest) as Manifest // our own
      return { ...dependencies, ...devDependencies }
    }),
  )
}

test('a remote in its own repository builds, tests and publishes @slow', async ({ page, freshStack }) => {
  test.setTimeout(420_000)
  const folder = await mkdtemp(join(tmpdir(), 'outside-'))
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    const pack = ['pack', '--silent', '--ignore-scripts=false', '--pack-destination', folder]
    execFileSync('npm', [...pack, '-w', 'shared', '-w', 'deploy'], { cwd: ROOT })

    const ranges = rangesOf('.', 'shared', 'shell')
    const files = remoteFiles({ name: 'mf-history', port: 0, ranges })
    const own = JSON.parse(files['package.json'] ?? '{}') as Manifest // written a line above
    files['package.json'] = JSON.stringify({
      ...own,
      version: '7.0.0',
      dependencies: {
        react: ranges.react,
        'react-dom': ranges['react-dom'],
        '@anniversary/shared': 'file:anniversary-shared-1.0.0.tgz',
      },
      devDependencies: {
        ...own.devDependencies,
        ...Object.fromEntries(SHARED_TOOLS.map((tool) => [tool, ranges[tool]])),
        '@anniversary/deploy': 'file:anniversary-deploy-1.0.0.tgz',
      },
      // deploy asks for shared by version; here it is the packed file.
      overrides: { '@anniversary/shared': 'file:anniversary-shared-1.0.0.tgz' },
    })
    files['rspack.config.js'] = (files['rspack.config.js'] ?? '').replace(
      '../rspack.base.js',
      '@anniversary/shared/build',
    )
    files['tsconfig.json'] = JSON.stringify({
      extends: '@anniversary/shared/tsconfig.web.json',
      include: ['src', 'node_modules/@anniversary/shared/src/css.d.ts'],
    })
    files['jest.config.js'] =
      "import { web } from '@anniversary/shared/jest'\n\nexport default { projects: [web(['<rootDir>/src'])] }\n"
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), content)
    }

    run('npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error')
    run('npx', 'tsc', '--noEmit')
    run('npx', 'jest')
    run('npm', 'run', 'build', '--silent')
    run('npx', 'deploy', 'publish', 'dist', '--site', freshStack.siteDir, '--no-smoke')

    await logIn(page, freshStack.url, 'demo03', '9999')
    await page.getByRole('button', { name: /Lịch sử/ }).click()
    await expect(page.getByRole('heading', { name: 'Trang mới' })).toBeVisible()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
