import type { FullConfig, Reporter, Suite, TestCase, TestResult } from '@playwright/test/reporter'

interface Count {
  survived: number
  all: number
}

interface Cell {
  readonly row: string
  readonly column: string
}

function cellOf(test: TestCase): Cell | undefined {
  const text = test.annotations.find(({ type }) => type === 'cell')?.description
  return text === undefined ? undefined : JSON.parse(text)
}

/** Prints the fault matrix: a row for each fault, a column for each remote, `survived/all` cells in between. */
class MatrixReporter implements Reporter {
  private readonly rows = new Map<string, Map<string, Count>>()
  private done = 0
  private total = 0

  onBegin(_config: FullConfig, suite: Suite): void {
    this.total = suite.allTests().length
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    this.done += 1
    const ok = test.outcome() === 'expected' || test.outcome() === 'skipped'
    if (!ok) process.stdout.write(`\nFAILED ${test.title}\n${result.error?.message ?? ''}\n`)
    if (process.stdout.isTTY) process.stdout.write(`\r${this.done} of ${this.total} `)
    else if (this.done % 25 === 0) console.log(`${this.done} of ${this.total}`)
    const cell = cellOf(test)
    if (!cell || result.status === 'skipped') return
    const row = this.rows.get(cell.row) ?? new Map<string, Count>()
    this.rows.set(cell.row, row)
    const count = row.get(cell.column) ?? { survived: 0, all: 0 }
    row.set(cell.column, count)
    count.all += 1
    if (ok) count.survived += 1
  }

  onEnd(): void {
    if (this.rows.size === 0) return
    const columns = [...new Set([...this.rows.values()].flatMap((row) => [...row.keys()]))].sort()
    const width = Math.max(...[...this.rows.keys()].map((row) => row.length)) + 2
    const line = (name: string, texts: readonly string[]) =>
      `${name.padEnd(width)}${texts.map((text) => text.padStart(14)).join('')}`
    const counts = [...this.rows.values()].flatMap((row) => [...row.values()])
    const sum = (key: keyof Count) => counts.reduce((all, count) => all + count[key], 0)
    console.log(`\nFault matrix: cells survived of cells tried\n\n${line('', columns)}`)
    for (const [name, row] of [...this.rows].sort(([a], [b]) => (a < b ? -1 : 1)))
      console.log(
        line(
          name,
          columns.map((column) => {
            const count = row.get(column)
            return count ? `${count.survived}/${count.all}` : '·'
          }),
        ),
      )
    console.log(`\n${sum('survived')} of ${sum('all')} cells survived`)
  }
}

// biome-ignore lint/style/noDefaultExport: Playwright asks for one
export default MatrixReporter
