import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from '@anniversary/api/test/folder'
import { ROOT } from '../packages.ts'

/**
 * Runs the pipeline's scripts in a clone, with an `npm` and an `npx` that
 * record their arguments.
 */

const folder = newFolder()
const git = (...args: string[]) =>
  run('git', '-c', 'user.name=t', '-c', 'user.email=t@example', ...args)
function run(program: string, ...args: string[]) {
  const env = {
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    // Not the user's, which may sign commits or run hooks.
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
  }
  return spawnSync(program, args, { cwd: join(folder, 'clone'), encoding: 'utf8', env })
}
function commit(...files: string[]) {
  for (const file of files) writeFileSync(join(folder, 'clone', file), `${Math.random()}`)
  git('add', '.')
  git('commit', '-qm', 'x')
}
function pipeline(script: string, ...options: string[]) {
  writeFileSync(join(folder, 'calls'), '')
  const { status } = run(script, ...options)
  return { status, calls: readFileSync(join(folder, 'calls'), 'utf8').split('\n').slice(0, -1) }
}
function publish(script = '.ci/publish') {
  // Each pipeline has a fresh clone, which may have no tags.
  git('tag', '-d', 'published')
  return pipeline(script)
}

beforeAll(() => {
  for (const name of ['shell', 'shared', 'build', 'api', 'mf-auth', 'mf-history'])
    mkdirSync(join(folder, 'clone', name), { recursive: true })
  mkdirSync(join(folder, 'bin'))
  // They fail while a file named `broken` exists.
  for (const name of ['npm', 'npx']) {
    const program = join(folder, 'bin', name)
    const build = 'mkdir -p ./$4/dist; cat ./$4*/? shared/? > ./$4/dist/build.json'
    writeFileSync(
      program,
      `#!/bin/sh\necho "$*" >> ${folder}/calls\ntest ! -e broken || exit\n[ $2 != build ] || { ${build}; }\n`,
    )
    chmodSync(program, 0o755)
  }
  cpSync(join(ROOT, '.ci'), join(folder, 'clone/.ci'), { recursive: true })
  git('init', '-q', '--bare', join(folder, 'origin'))
  git('init', '-q')
  writeFileSync(join(folder, 'clone/.git/info/exclude'), 'dist')
  git('remote', 'add', 'origin', join(folder, 'origin'))
  commit('shell/a', 'shared/a', 'api/a', 'mf-auth/a', 'mf-history/a')
  publish()
})

// The same build may have been rolled back.
test.each<[changed: string[], built: string[], published: string[]]>([
  [['mf-auth/b'], ['mf-auth'], ['mf-auth']],
  [['shared/b'], ['shell', 'mf-auth', 'mf-history'], ['shell', 'mf-auth', 'mf-history']],
  [['package-lock.json'], ['shell', 'mf-auth', 'mf-history'], []],
  [['package-lock.json', 'mf-auth/b'], ['shell', 'mf-auth', 'mf-history'], ['mf-auth']],
  [['api/b'], [], []],
])(
  'after a change of %j it builds %j and publishes %j, in one step',
  (changed, built, published) => {
    commit(...changed)
    const paths = published.map((name) => `./${name}`).join(' ')
    expect(publish()).toEqual({
      status: 0,
      calls: [
        ...built.map((name) => `run build -w ${name}`),
        ...(paths ? [`run deploy -- publish ${paths}`] : []),
      ],
    })
    expect(publish().calls).toEqual([])
  },
)

test('a failed publish is repeated with the next change', () => {
  commit('mf-auth/b', 'broken')
  expect(publish().status).not.toBe(0)
  rmSync(join(folder, 'clone/broken'))
  commit('api/b')
  expect(publish().calls).toContain('run deploy -- publish ./mf-auth')
})

test('a pull request previews only the packages that it changes', () => {
  git('push', '-q', 'origin', 'HEAD:refs/heads/main')
  git('fetch', '-q')
  commit('api/c')
  expect(pipeline('.ci/preview', 'main')).toEqual({ status: 0, calls: [] })
  commit('mf-auth/c')
  expect(pipeline('.ci/preview', 'main').calls).toEqual([
    'run build -w mf-auth',
    'run --silent deploy -- preview ./mf-auth',
  ])
})

test('the pipeline of a repository outside publishes no build again', () => {
  const publishOutside = () => publish(join(ROOT, 'tools/new-remote/templates/outside/.ci/publish'))
  const published = { status: 0, calls: ['run build', 'deploy publish'] }
  commit('mf-auth/e')
  expect(publishOutside()).toEqual(published)
  commit('README.md')
  expect(publishOutside()).toEqual({ status: 0, calls: ['run build'] })
  commit('mf-auth/f')
  expect(publishOutside()).toEqual(published)
  git('checkout', '-q', 'HEAD~1')
  expect(publishOutside()).toEqual({ status: 1, calls: [] })
  git('checkout', '-q', '-')
})

test('a clone without all commits publishes nothing', () => {
  const shallow = join(folder, 'clone/.git/shallow')
  commit('mf-auth/c')
  writeFileSync(shallow, git('rev-parse', 'HEAD').stdout)
  expect(publish()).toEqual({ status: 1, calls: [] })
  rmSync(shallow)
})

test('a commit older than the published one is rejected', () => {
  commit('mf-auth/d')
  publish()
  git('checkout', '-q', 'HEAD~1')
  expect(publish()).toEqual({ status: 1, calls: [] })
})
