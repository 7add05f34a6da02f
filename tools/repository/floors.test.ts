import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'
import { ROOT } from '../packages.ts'

/**
 * Folders of a package, the highest floor first: each imports only folders below its own, and files that lie beside all
 * folders. What is imported against that is pure, and named here.
 */
const FLOORS: readonly [root: string, floors: readonly string[], excepted: readonly string[]][] = [
  [
    'deploy/src',
    ['server', 'cli', 'control', 'verbs', 'checks', 'serve', 'canary', 'reports', 'site', 'builds', 'target'],
    ['site/record.ts → canary/comparison.ts'],
  ],
]

const IMPORT = /from '(\.[^']+)'/g

test.each(FLOORS)('the floors of %s', (root, floors, excepted) => {
  const files = readdirSync(join(ROOT, root), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file.includes(sep))
    .map((file) => file.replaceAll(sep, '/'))
  const floorOf = (file: string) => floors.indexOf(file.split('/')[0] ?? '')
  const upward = files.flatMap((file) =>
    [...readFileSync(join(ROOT, root, file), 'utf8').matchAll(IMPORT)]
      .map(([, imported = '']) => normalize(join(dirname(file), imported)).replaceAll(sep, '/'))
      .filter((imported) => imported.includes('/') && floorOf(imported) < floorOf(file))
      .map((imported) => `${file} → ${imported}`),
  )
  expect(upward).toEqual(excepted)
  expect(new Set(files.map(floorOf))).toEqual(new Set(floors.keys()))
})
