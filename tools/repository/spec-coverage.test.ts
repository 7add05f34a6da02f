import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../packages.ts'

/** Holds docs/spec-coverage.md to the code: its rows name tests by file and id. */

interface Row {
  readonly section: string
  readonly demand: string
  /** Each as `file#id`. */
  readonly tests: readonly string[]
}

function rowsOf(markdown: string): Row[] {
  let section = ''
  const quoted = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)
  return markdown.split('\n').flatMap((line) => {
    if (line.startsWith('## ')) section = line.slice(3)
    const isRow = line.startsWith('| ') && !line.startsWith('| The specification says')
    if (!isRow) return []
    const [demand = '', proven = ''] = line.slice(2, -2).split(' | ')
    return [{ section, demand, tests: quoted(proven) }]
  })
}

/** A comment with an id, and the line below it. */
const MARK = /^ *\/\/ spec: (\S+)\n(.*)/gm

function problemsOf(rows: readonly Row[]): string[] {
  const named = new Set(rows.flatMap(({ tests }) => tests))
  const seen = new Map<string, string>()
  const problems: string[] = []
  for (const file of testFiles()) {
    for (const [, id = '', below = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(MARK)) {
      const test = `${file}#${id}`
      if (!/^ *(test|it)\b/.test(below)) problems.push(`${test} is above no test`)
      if (seen.has(id)) problems.push(`${test} has the id of ${seen.get(id)}`)
      if (!named.has(test)) problems.push(`${test} is in no row`)
      seen.set(id, test)
    }
  }
  const known = new Set(seen.values())
  for (const { section, demand, tests } of rows) {
    const wrong = tests.filter((test) => !known.has(test)).map((test) => `${test} is no test`)
    if (tests.length === 0) wrong.push('names no test that proves it')
    problems.push(...wrong.map((problem) => `${section}, “${demand}”: ${problem}`))
  }
  return problems
}

/** Files of tests, committed or new. */
function testFiles(): string[] {
  const patterns = ['*.test.ts', '*.test.tsx', '*.spec.ts']
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns]
  const files = execFileSync('git', list, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
  return files.filter((file) => existsSync(join(ROOT, file)) && join(ROOT, file) !== import.meta.filename)
}

test('every demand of the specification names a test that proves it', () => {
  const rows = rowsOf(readFileSync(join(ROOT, 'docs/spec-coverage.md'), 'utf8'))
  expect(problemsOf(rows)).toEqual([])
  expect(rows.length).toBeGreaterThan(150)
})
