import { execFileSync } from 'node:child_process'
import path from 'node:path'

interface Skew {
  readonly table: Record<string, Record<string, string>>
  readonly withUpstream: readonly string[]
}

test('a remote runs on the React of its host or fails by itself, with our runtime, with upstream’s and of older releases', () => {
  const skew = path.join(import.meta.dirname, '../test/skew.ts')
  const { table, withUpstream } = JSON.parse(
    execFileSync(process.execPath, ['--import', 'tsx/esm', skew], { encoding: 'utf8', stdio: 'pipe' }),
  ) as Skew // which skew.ts prints
  const unsatisfied = expect.stringMatching(/ersion .* of shared singleton module react/)
  const row = (version: string) => ({
    'of 19': version,
    'of 18 and 19': version,
    'of 20': unsatisfied,
    'of 19, with a newer one, upstream': version,
    'of 19, of an older release': version,
  })
  expect(table).toEqual({
    ours: row('19.3.1'),
    'upstream, React 19': row('19.1.0'),
    'upstream, React 18': { ...row(unsatisfied), 'of 18 and 19': '18.3.1' },
  })
  // An update that moves upstream's files would bring its runtime back onto the page.
  expect(withUpstream).toEqual([
    'upstream, React 19',
    'upstream, React 18',
    'of 19, with a newer one, upstream',
  ])
})
