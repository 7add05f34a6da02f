import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { manifestOf, ROOT } from '../packages.ts'
import { runnableCommands } from '../run/commands.ts'

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const tracked = execFileSync('git', ['ls-files', '*.md', '*.yml', '*.ts', '*.tsx', '*.sh'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
const named = (text: string) =>
  [...text.matchAll(/\b(prove|bench|audit) -- ([a-z][\w-]*)/g)].map(([, group, name]) => ({
    group,
    name,
  }))

test('every command that a document, comment or workflow names exists', () => {
  const unknown = tracked.flatMap((file) =>
    named(read(file)).filter(({ group = '', name = '' }) => !runnableCommands[group]?.[name]),
  )
  expect(unknown).toEqual([])
})

test('the nightly pipeline runs every proof', () => {
  const nightly = named(read('.github/workflows/nightly.yml')).map(({ name }) => name)
  expect(nightly).toEqual(expect.arrayContaining(Object.keys(runnableCommands.prove ?? {})))
})

test('the root has at most 24 scripts', () => {
  expect(Object.keys(manifestOf('.').scripts ?? {}).length).toBeLessThanOrEqual(24)
})
