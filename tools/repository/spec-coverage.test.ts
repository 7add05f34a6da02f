import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../packages.ts'

/**
 * Compares docs/spec-coverage.md with the code: its lines name tests by file
 * and id.
 */

const rows = readFileSync(join(ROOT, 'docs/spec-coverage.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('- '))
/** Returns each as `file#id`. */
const testsIn = (row: string) => [...row.matchAll(/`([^`]+#[^`]+)`/g)].map(([, test = '']) => test)

/**
 * Comments with an id, and the line below each, in test files, committed or
 * new.
 */
const marks = execFileSync(
  'git',
  [
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    '*.test.ts',
    '*.test.tsx',
    '*.spec.ts',
  ],
  { cwd: ROOT, encoding: 'utf8' },
)
  .trim()
  .split('\n')
  .filter((file) => existsSync(join(ROOT, file)))
  .flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^ *\/\/ spec: (\S+)\n(.*)/gm)].map(
      ([, id = '', below = '']) => ({ test: `${file}#${id}`, id, below }),
    ),
  )

test('every requirement of the specification names a test', () => {
  expect(rows.length).toBeGreaterThan(100)
  expect(rows.filter((row) => testsIn(row).length === 0)).toEqual([])
})

test('every named test exists, and every test with an id is named', () => {
  const named = new Set(rows.flatMap(testsIn))
  expect([...named].sort()).toEqual(marks.map(({ test }) => test).sort())
})

test('each id appears once, directly above a test', () => {
  const ids = marks.map(({ id }) => id)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  expect(marks.filter(({ below }) => !/^ *(test|it)(\.each)?\b[^.]/.test(below))).toEqual([])
})
