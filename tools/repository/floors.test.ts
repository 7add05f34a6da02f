import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'
import { ROOT } from '../packages.ts'

/** Folders of deploy, the highest floor first: each imports only floors below its own, and files that lie beside them. */
const FLOORS = 'server cli control verbs checks serve canary reports site builds target'.split(' ')

const source = join(ROOT, 'deploy/src')
const floorOf = (file: string) => FLOORS.indexOf(file.split('/')[0] ?? '')

test('the floors of deploy', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file.includes(sep))
    .map((file) => file.replaceAll(sep, '/'))
  const upward = files.flatMap((file) =>
    [...readFileSync(join(source, file), 'utf8').matchAll(/from '(\.[^']+)'/g)]
      .map(([, imported = '']) => normalize(join(dirname(file), imported)).replaceAll(sep, '/'))
      .filter((imported) => imported.includes('/') && floorOf(imported) < floorOf(file))
      .map((imported) => `${file} → ${imported}`),
  )
  expect(upward).toEqual([])
  expect(new Set(files.map(floorOf))).toEqual(new Set(FLOORS.keys()))
})
