import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { manifestOf, ROOT, workspaces } from '../packages.ts'

const scripts = Object.keys(manifestOf('.').scripts ?? {})
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

test.each(['.github/workflows/ci.yml', '.github/workflows/nightly.yml', '.gitlab-ci.yml'])(
  '%s calls scripts that there are',
  (file) => {
    const called = read(file).match(/\b(test|prove|bench):[a-z]+|\.ci\/[a-z]+/g) ?? []
    expect(called.length).toBeGreaterThan(0)
    for (const name of called) {
      if (name.startsWith('.ci/')) expect(read(name)).toMatch(/^#!/)
      else expect(scripts).toContain(name)
    }
  },
)

const LONG = /^((test|prove):.+|audit)$/
/** Parts of test:nightly. */
const CONTAINED = ['prove:engines', 'prove:isolation', 'prove:outside']

test.each(['.github/workflows/nightly.yml', '.gitlab-ci.yml'])(
  '%s runs all long tests and proofs',
  (file) => {
    const long = scripts.filter((name) => LONG.test(name) && !CONTAINED.includes(name))
    expect(
      read(file)
        .match(/(?<=- ).+/g)
        ?.filter((name) => LONG.test(name))
        .sort(),
    ).toEqual(long.sort())
  },
)

test('every package has an owner of its own', () => {
  const owned = read('CODEOWNERS').match(/^\/[a-z0-9-]+\/(?= )/gm) ?? []
  expect(owned).toEqual(expect.arrayContaining(workspaces.map((folder) => `/${folder.split('/')[0]}/`)))
})

describe('scripts of the pipelines', () => {
  let folder: string
  const git = (...args: string[]) => run('git', '-c', 'user.name=t', '-c', 'user.email=t@example', ...args)
  function run(program: string, ...args: string[]) {
    const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` }
    return spawnSync(program, args, { cwd: join(folder, 'clone'), encoding: 'utf8', env })
  }
  function commit(...files: string[]) {
    for (const file of files) writeFileSync(join(folder, 'clone', file), `${Math.random()}`)
    git('add', '.')
    git('commit', '-qm', 'x')
  }
  /** What a script has npm do, and its exit code. */
  function pipeline(script: string, ...options: string[]) {
    writeFileSync(join(folder, 'calls'), '')
    const { status } = run(script, ...options)
    return { status, calls: readFileSync(join(folder, 'calls'), 'utf8').split('\n').slice(0, -1) }
  }
  function publish(...options: string[]) {
    // A pipeline clones anew, with the tag as the last one left it.
    git('fetch', '-q', '--tags', '--force')
    return pipeline('.ci/publish', ...options)
  }

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'publish-'))
    for (const name of [
      'bin',
      'clone',
      ...['shell', 'shared', 'build', 'api', 'mf-auth', 'mf-history'].map((name) => `clone/${name}`),
    ])
      mkdirSync(join(folder, name))
    // It refuses to build while a file named `broken` is there.
    writeFileSync(join(folder, 'bin/npm'), `#!/bin/sh\necho "$*" >> ${folder}/calls\ntest ! -e broken\n`)
    chmodSync(join(folder, 'bin/npm'), 0o755)
    cpSync(join(ROOT, '.ci'), join(folder, 'clone/.ci'), { recursive: true })
    git('init', '-q', '--bare', join(folder, 'origin'))
    git('init', '-q')
    git('remote', 'add', 'origin', join(folder, 'origin'))
    commit('shell/a', 'shared/a', 'api/a', 'mf-auth/a', 'mf-history/a')
    publish()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.each<[changed: string[], published: string[]]>([
    [['mf-auth/b'], ['mf-auth']],
    [['shared/b'], ['shell', 'mf-auth', 'mf-history']],
    [
      ['mf-history/b', 'shell/b'],
      ['shell', 'mf-history'],
    ],
    [['package-lock.json'], ['shell', 'mf-auth', 'mf-history']],
    [['build/b'], ['shell', 'mf-auth', 'mf-history']],
    [['api/b'], []],
  ])('after a change of %j it builds and publishes %j, in one step', (changed, published) => {
    commit(...changed)
    const { status, calls } = publish('--json')
    expect(status).toBe(0)
    const paths = published.map((name) => `./${name}`).join(' ')
    expect(calls).toEqual([
      ...published.map((name) => `run build -w ${name}`),
      ...(paths ? [`run deploy -- publish ${paths} --json`] : []),
    ])
    expect(publish().calls).toEqual([])
  })

  test('what failed is published with the next change', () => {
    commit('mf-auth/b', 'broken')
    expect(publish().status).not.toBe(0)
    rmSync(join(folder, 'clone/broken'))
    commit('api/b')
    expect(publish().calls).toContain('run deploy -- publish ./mf-auth')
  })

  test('a request previews what it changes against the main branch, and nothing else', () => {
    git('push', '-q', 'origin', 'HEAD:refs/heads/main')
    git('fetch', '-q')
    const preview = () => pipeline('.ci/preview', 'main')
    commit('api/b')
    expect(preview()).toEqual({ status: 0, calls: [] })
    commit('mf-auth/b', 'shell/b')
    expect(preview().calls).toEqual([
      'run build -w shell',
      'run build -w mf-auth',
      'run --silent deploy -- preview ./shell ./mf-auth',
    ])
    commit('broken')
    expect(preview().status).not.toBe(0)
    rmSync(join(folder, 'clone/broken'))
    commit('api/b')
  })

  test('an older commit than what is published is refused', () => {
    commit('mf-auth/b')
    publish()
    git('checkout', '-q', 'HEAD~1')
    expect(publish()).toEqual({ status: 1, calls: [] })
  })
})
