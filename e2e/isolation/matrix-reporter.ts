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
  private readonly rows: Record<string, Record<string, Count>> = {}
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
    this.rows[cell.row] ??= {}
    const row = this.rows[cell.row] ?? {}
    const { survived, all } = row[cell.column] ?? { survived: 0, all: 0 }
    row[cell.column] = { survived: survived + Number(ok), all: all + 1 }
  }

  onEnd(): void {
    const counts = Object.values(this.rows).flatMap((row) => Object.values(row))
    const sum = (key: keyof Count) => counts.reduce((total, count) => total + count[key], 0)
    const shown = Object.keys(this.rows)
      .sort()
      .map((name) => {
        const cells = Object.entries(this.rows[name] ?? {})
        return [
          name,
          Object.fromEntries(cells.map(([column, { survived, all }]) => [column, `${survived}/${all}`])),
        ]
      })
    console.log('\nFault matrix: cells survived of cells tried')
    console.table(Object.fromEntries(shown))
    console.log(`${sum('survived')} of ${sum('all')} cells survived`)
  }
}

// biome-ignore lint/style/noDefaultExport: Playwright asks for one
export default MatrixReporter
