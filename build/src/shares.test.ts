import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Shares from '../jest/shares.js'

const usual: Record<string, number> = JSON.parse(
  readFileSync(join(import.meta.dirname, '../jest/shares.json'), 'utf8'),
)
const [largest = ''] = Object.keys(usual)
// Else it would renew the file.
delete process.env.JEST_SHARES

/** Returns what is printed after a run with these percents of 200 s. */
function printedAfter(percents: Record<string, number>): string {
  const testResults = Object.entries(percents).map(([file, percent]) => ({
    testFilePath: join(process.cwd(), file),
    perfStats: { runtime: percent * 2000 },
  }))
  const log = import.meta.jest.spyOn(console, 'log').mockImplementation(() => undefined)
  new Shares().onRunComplete(undefined, { startTime: Date.now(), testResults })
  const lines = log.mock.calls.join('\n')
  log.mockRestore()
  return lines
}

test('a file over twice its usual share of a whole run is printed', () => {
  const others = Array.from({ length: 40 }, (_, index) => [`small${index}`, 1])
  const run = { ...usual, ...Object.fromEntries(others) }
  expect(printedAfter(run)).toBe('')
  const grown = printedAfter({ ...run, [largest]: 5 * (usual[largest] ?? 0), small0: 6 })
  expect(grown).toMatch(RegExp(`% of the time, usually ${usual[largest]}: ${largest}\n`))
  expect(grown).toMatch(/% of the time, usually below 1.5: small0$/)
  expect(printedAfter({ [largest]: 50, small0: 50 })).toBe('')
})

test('each file with a usual share exists', () => {
  const root = join(import.meta.dirname, '../..')
  expect(Object.keys(usual).filter((file) => !existsSync(join(root, file)))).toEqual([])
})
