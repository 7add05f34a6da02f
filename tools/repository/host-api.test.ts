import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HOST_CONTRACT } from '@anniversary/shared/contract/host'
import { compile, hostApi, hostFile, reports, versions } from './host-api.ts'

const reportOf = (version: string) => join(reports, `${version}.d.ts`)
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'host-api-test-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('the host port is as its version was released: a change needs a new HOST_CONTRACT and `npm run host-api`', () => {
  const report = reportOf(HOST_CONTRACT)
  // As Jest does with a new snapshot. No site has the version yet? Delete the file and run this again.
  if (!existsSync(report) && !process.env.CI) writeFileSync(report, hostApi())
  expect(hostApi()).toBe(readFileSync(report, 'utf8'))
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
