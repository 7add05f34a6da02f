import { execFileSync } from 'node:child_process'
import path from 'node:path'

test('a remote runs on the React of its host or fails by itself, with the federation runtime and without', () => {
  const skew = path.join(import.meta.dirname, '../test/skew.ts')
  const table: unknown = JSON.parse(
    execFileSync(process.execPath, ['--import', 'tsx/esm', skew], { encoding: 'utf8', stdio: 'pipe' }),
  )
  const unsatisfied = expect.stringMatching(/ersion .* of shared singleton module react/)
  const row = (version: string) => ({
    'of 19': version,
    'of 18 and 19': version,
    'of 20': unsatisfied,
    'of 19, with a newer one': version,
    'of 19, with a newer one and the runtime': version,
  })
  expect(table).toEqual({
    ours: row('19.3.1'),
    'with the runtime, React 19': row('19.1.0'),
    'with the runtime, React 18': {
      'of 19': unsatisfied,
      'of 18 and 19': '18.3.1',
      'of 20': unsatisfied,
      'of 19, with a newer one': unsatisfied,
      'of 19, with a newer one and the runtime': unsatisfied,
    },
  })
})
