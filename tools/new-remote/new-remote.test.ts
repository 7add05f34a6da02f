import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { newFolder } from '@anniversary/api/test/folder'
import { remoteNameProblem } from './make-repository.ts'

const repository = resolve(import.meta.dirname, '../..')

/** A repository of this shape with its own settings. */
const root = newFolder()
symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'))
for (const copied of [
  '.gitignore',
  'CODEOWNERS',
  'README.md',
  'biome.json',
  'package.json',
  'tools/lint',
])
  cpSync(join(repository, copied), join(root, copied), { recursive: true })

function run(cwd: string, program: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}
const make = (name: string) =>
  run(repository, process.execPath, [
    '--import',
    'tsx',
    'tools/new-remote/main.ts',
    name,
    '--root',
    root,
  ])

// Two words, and earlier in the alphabet than the page's own files: the order
// of imports depends on it. e2e/deploy/outside.spec.ts checks types, test and
// build of a new remote.
test('a new remote passes lint, and the repository names it', () => {
  expect(make('mf-lucky-stars')).toMatchObject({ status: 0 })
  expect(make('mf-lucky-stars')).toMatchObject({
    status: 1,
    output: expect.stringContaining('is there already'),
  })
  const remote = join(root, 'mf-lucky-stars')
  expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).toMatchObject({
    workspaces: expect.arrayContaining(['mf-lucky-stars']),
  })
  const linesOf = (file: string) => readFileSync(join(root, file), 'utf8').split('\n')
  expect(linesOf('CODEOWNERS')).toContain('/mf-lucky-stars/     @anniversary/team-lucky-stars')
  expect(linesOf('README.md')).toContain('mf-lucky-stars/    remote: /lucky-stars')
  const guide = readFileSync(join(remote, 'AGENTS.md'), 'utf8')
  expect(guide).toContain('`src/LuckyStarsPage.tsx` is the page')
  expect(guide.split(/\s+/).length).toBeLessThan(300)
  const harness = readFileSync(join(remote, 'src/harness.ts'), 'utf8')
  expect(harness).toContain("{ '/lucky-stars': LuckyStarsPage }")
  expect(harness).not.toMatch(/template/i)
  const biome = join(repository, 'node_modules/.bin/biome')
  expect(run(root, biome, ['check', 'mf-lucky-stars'])).toMatchObject({ status: 0 })
})

test.each(['winners', 'mf-', 'mf-Winners', 'mf-a b', '../mf-x', 'mf-shell', 'mf-shared'])(
  '%s is no name for a remote',
  (name) => expect(remoteNameProblem(name, repository)).toBeDefined(),
)
