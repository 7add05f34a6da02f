import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HOST_CONTRACT } from '@anniversary/shared/contract/host'
import { compile, hostApi, hostFile, reports, versions, writeReport } from './host-api.ts'

const reportOf = (version: string) => join(reports, `${version}.d.ts`)
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'host-api-test-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('the host port is as its version was released: a change needs a new HOST_CONTRACT and `npm run host-api`', () => {
  expect(hostApi()).toBe(readFileSync(reportOf(HOST_CONTRACT), 'utf8'))
})

test('a released report is not written anew', () => {
  writeReport(folder, '1.0', 'old')
  expect(() => writeReport(folder, '1.0', 'new')).toThrow('raise HOST_CONTRACT')
  expect(readFileSync(join(folder, '1.0.d.ts'), 'utf8')).toBe('old')
})

test('the changelog has an entry for each version, the newest first', () => {
  const changelog = readFileSync(join(reports, '../CHANGELOG.md'), 'utf8')
  const entries = [...changelog.matchAll(/^## (\d+\.\d+)/gm)].map(([, version]) => version)
  expect(entries).toEqual(versions())
  expect(entries[0]).toBe(HOST_CONTRACT)
})

/** Compares functions by their parameters too, which TypeScript does not for methods. */
const STRICT = `type Strict<T> = T extends (...args: infer A) => infer R ? (...args: A) => R
  : T extends object ? { [K in keyof T]: Strict<T[K]> } : T`

const major = HOST_CONTRACT.split('.')[0]
test.each(versions().filter((version) => version.split('.')[0] === major))(
  'a remote built for %s can use the host of today',
  (version) => {
    const remote = join(folder, 'remote.ts')
    writeFileSync(
      remote,
      `import type { Host } from '${hostFile}'
import type { Host as Known } from '${reportOf(version)}'
${STRICT}
export const use = (host: Strict<Host>): Strict<Known> => host\n`,
    )
    compile([remote], {})
  },
)
