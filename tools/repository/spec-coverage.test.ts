import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Holds docs/spec-coverage.md to the code: every row names files and tests that exist. */

const root = resolve(import.meta.dirname, '../..')

interface Row {
  readonly section: string
  readonly demand: string
  readonly files: readonly string[]
  readonly tests: readonly { readonly file: string; readonly title: string }[]
}

function rowsOf(markdown: string): Row[] {
  let section = ''
  return markdown.split('\n').flatMap((line) => {
    if (line.startsWith('## ')) section = line.slice(3)
    const isRow = line.startsWith('| ') && !line.startsWith('| The specification says')
    if (!isRow) return []
    const [demand = '', done = '', proven = ''] = line.slice(2, -2).split(' | ')
    return [
      {
        section,
        demand,
        files: [...done.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
        tests: [...proven.matchAll(/`([^`]+)`: “(.+?)”(?=<br>|$)/g)].map(([, file = '', title = '']) => ({
          file,
          title,
        })),
      },
    ]
  })
}

/** A title is the whole first string of a call: renamed, shortened or moved, it is found missing. */
const holdsTitle = (source: string, title: string): boolean =>
  new RegExp(`\\(\\s*(['"\`])${title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\1`).test(source)

/** @param read the text of a file of the repository; null where there is none */
function problemsOf(markdown: string, read: (file: string) => string | null): string[] {
  return rowsOf(markdown).flatMap(({ section, demand, files, tests }) => {
    const wrong: string[] = []
    if (files.length === 0) wrong.push('names no file that does it')
    if (tests.length === 0) wrong.push('names no test that proves it')
    for (const file of files) if (read(file) === null) wrong.push(`${file} does not exist`)
    for (const { file, title } of tests) {
      const source = read(file)
      if (!/\.(test|spec)\.tsx?$/.test(file)) wrong.push(`${file} is no file of tests`)
      else if (source === null) wrong.push(`${file} does not exist`)
      else if (!holdsTitle(source, title)) wrong.push(`${file} has no test “${title}”`)
    }
    return wrong.map((problem) => `${section}, “${demand}”: ${problem}`)
  })
}

function readFile(file: string): string | null {
  const path = join(root, file)
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}
const markdown = readFileSync(join(root, 'docs/spec-coverage.md'), 'utf8')

test('every demand of the specification names the file that does it and the test that proves it', () => {
  expect(problemsOf(markdown, readFile)).toEqual([])
})

test('all nine sections are there, with well over a hundred rows and none twice', () => {
  const rows = rowsOf(markdown)
  const sections = [...new Set(rows.map(({ section }) => section[0]))]
  expect(sections).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9'])
  expect(rows.length).toBeGreaterThan(150)
  // '… and the page reloads' may follow two sentences; with its section and its tests a row stands once.
  const keys = rows.map(({ section, demand, tests }) => JSON.stringify([section, demand, tests]))
  expect(new Set(keys).size).toBe(keys.length)
})

test('every message that the specification words exactly stands in the table', () => {
  const quoted = markdown.match(/'[^']*[^\x20-\x7e‘’][^']*'/g) ?? []
  // Sections 2, 4, 5 and 8 word that many in Vietnamese.
  expect(new Set(quoted).size).toBeGreaterThanOrEqual(30)
})

describe('what is wrong with a row is found', () => {
  const files: Record<string, string> = { 'a.ts': '', 'a.test.ts': "test('does it', …)" }
  const read = (file: string) => files[file] ?? null
  const table = (done: string, proven: string) => `## 1. One\n\n| It does it | ${done} | ${proven} |`

  test.each([
    ['`a.ts`', '`a.test.ts`: “does it”', null],
    ['', '`a.test.ts`: “does it”', 'names no file'],
    ['`a.ts`', '', 'names no test'],
    ['`gone.ts`', '`a.test.ts`: “does it”', 'gone.ts does not exist'],
    ['`a.ts`', '`gone.test.ts`: “does it”', 'gone.test.ts does not exist'],
    ['`a.ts`', '`a.test.ts`: “does”', 'has no test “does”'],
    ['`a.ts`', '`a.ts`: “does it”', 'a.ts is no file of tests'],
  ])('done in %s, proven by %s: %s', (done, proven, problem) => {
    const found = problemsOf(table(done, proven), read)
    if (problem === null) expect(found).toEqual([])
    else expect(found.join()).toContain(problem)
  })
})
