import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildSchema } from '@anniversary/shared/contract/composition'

const repository = resolve(import.meta.dirname, '../..')
let root: string

/** A repository of this shape: its own package.json, everything else linked from here. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'new-remote-'))
  const LINKED = [
    'node_modules',
    'build',
    'shared',
    'mf-auth',
    'api',
    'bench',
    'deploy',
    'docs',
    'e2e',
    'tools',
    'tsconfig.base.json',
    'tsconfig.web.json',
  ]
  for (const linked of LINKED) symlinkSync(join(repository, linked), join(root, linked))
  for (const copied of [
    'package.json',
    'package-lock.json',
    'biome.json',
    'jest.config.js',
    'rspack.base.js',
  ])
    cpSync(join(repository, copied), join(root, copied))
  mkdirSync(join(root, 'shell/src'), { recursive: true })
  cpSync(join(repository, 'shell/package.json'), join(root, 'shell/package.json'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function run(cwd: string, program: string, args: readonly string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  return { status, output: stdout + stderr }
}
const make = (name: string) =>
  run(repository, process.execPath, ['--import', 'tsx', 'tools/new-remote/main.ts', name, '--root', root])
const bin = (name: string) => join(repository, 'node_modules/.bin', name)

const lint = (name: string) => run(root, bin('biome'), ['check', '--vcs-enabled=false', name])

test('the remote it makes passes lint, types and its test, and builds what deploy publishes', () => {
  expect(make('mf-winners')).toMatchObject({ status: 0 })
  const remote = join(root, 'mf-winners')
  // The shape of what it writes.
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    workspaces: string[]
  }
  expect(workspaces).toContain('mf-winners')
  expect(lint('mf-winners')).toMatchObject({ status: 0 })
  expect(run(remote, bin('tsc'), ['--noEmit'])).toMatchObject({ status: 0 })
  const tests = run(root, bin('jest'), ['--selectProjects', 'web', '--testPathPatterns', 'mf-winners/src'])
  expect(tests).toEqual({ status: 0, output: expect.stringContaining('1 passed') })

  expect(run(remote, bin('rspack'), ['build'])).toMatchObject({ status: 0 })
  const build: unknown = JSON.parse(readFileSync(join(remote, 'dist/build.json'), 'utf8'))
  expect(buildSchema.parse(build)).toMatchObject({
    name: 'mf-winners',
    kind: 'remote',
    exposes: { './WinnersPage': { js: [expect.any(String)], css: [expect.any(String)] } },
  })
}, 90_000)

test('a name earlier in the alphabet, of two words, keeps its imports in order too', () => {
  expect(make('mf-lucky-stars')).toMatchObject({ status: 0 })
  expect(lint('mf-lucky-stars')).toMatchObject({ status: 0 })
})

test.each(['winners', 'mf-', 'mf-Winners', 'mf-a b', '../mf-x'])('%s is no name for a remote', (name) => {
  expect(make(name)).toMatchObject({ status: 2, output: expect.stringContaining('is no name for a remote') })
})

test('what is there already is left alone', () => {
  expect(make('mf-auth')).toMatchObject({ status: 1, output: expect.stringContaining('is there already') })
})
