import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'

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

/** Prints, beside another reporter, the fault matrix: a row for each fault, a column for each remote, `survived/all` cells in between. */
class MatrixReporter implements Reporter {
  private readonly rows: Record<string, Record<string, Count>> = {}

  onTestEnd(test: TestCase, result: TestResult): void {
    const cell = cellOf(test)
    if (!cell || result.status === 'skipped') return
    this.rows[cell.row] ??= {}
    const row = this.rows[cell.row] ?? {}
    const { survived, all } = row[cell.column] ?? { survived: 0, all: 0 }
    row[cell.column] = { survived: survived + Number(test.outcome() === 'expected'), all: all + 1 }
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
