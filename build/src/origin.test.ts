import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { originOf } from './origin.ts'

let root: string
let dir: string
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], {
    cwd: root,
    encoding: 'utf8',
  }).trim()

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'origin-'))
  dir = join(root, 'mf-x')
  mkdirSync(dir)
})
afterEach(() => rmSync(root, { recursive: true }))

test('outside a repository only the builder is known', () => {
  const { builder, ...rest } = originOf(dir, {})
  expect(builder).toMatch(/.@./)
  expect(rest).toEqual({})
})

test('in a repository: commit, its address without a password, lockfile, and whether sources had changes', () => {
  writeFileSync(join(root, 'package-lock.json'), '{}')
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'x')
  git('remote', 'add', 'origin', 'https://ci:secret@git.example/team/mf-x.git')
  const origin = originOf(dir, {})
  expect(origin).toMatchObject({
    commit: git('rev-parse', 'HEAD'),
    repository: 'https://git.example/team/mf-x.git',
    lockfile: createHash('sha256').update('{}').digest('hex'),
  })
  expect(origin).not.toHaveProperty('dirty')
  writeFileSync(join(dir, 'page.tsx'), '')
  expect(originOf(dir, {})).toHaveProperty('dirty', true)
})

test.each([
  [
    'GitHub',
    { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'team/mf-x', GITHUB_RUN_ID: '7' },
    { repository: 'https://github.com/team/mf-x', builder: 'https://github.com/team/mf-x/actions/runs/7' },
  ],
  [
    'GitLab',
    { CI_PROJECT_URL: 'https://gitlab.com/team/mf-x', CI_JOB_URL: 'https://gitlab.com/team/mf-x/-/jobs/7' },
    { repository: 'https://gitlab.com/team/mf-x', builder: 'https://gitlab.com/team/mf-x/-/jobs/7' },
  ],
])('in a pipeline of %s: its repository and its run', (_name, env, origin) => {
  expect(originOf(dir, env)).toEqual(origin)
})
