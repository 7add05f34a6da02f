import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HOST_CONTRACT } from '@anniversary/shared/contract/host'
import { ROOT } from '../packages.ts'

/**
 * The API report of the host port: one file of types for each version of the contract, `shared/host-api/<version>.d.ts`,
 * written once, by the test of a new version (`npm run host-api`). A changed port needs a new version, since remotes of the old one are deployed.
 */

const reports = join(ROOT, 'shared/host-api')
const hostFile = join(ROOT, 'shared/src/contract/host.ts')

/** Compiles files with the settings of the browser's packages. Throws the compiler's complaints. */
function compile(files: readonly string[], options: Record<string, unknown>): void {
  const folder = mkdtempSync(join(tmpdir(), 'host-api-'))
  const project = join(folder, 'tsconfig.json')
  const compilerOptions = { types: [], rootDir: '/', noEmit: true, ...options }
  writeFileSync(
    project,
    JSON.stringify({ extends: join(ROOT, 'build/tsconfig.web.json'), files, compilerOptions }),
  )
  try {
    execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', project], { encoding: 'utf8' })
  } catch (error) {
    throw new Error((error as { stdout: string }).stdout) // execFileSync's error carries the output
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** All types that `host.ts` reaches, without comments: what a change of a report shows is a change for remotes. */
function hostApi(): string {
  const out = mkdtempSync(join(tmpdir(), 'host-api-out-'))
  try {
    compile([hostFile], {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      removeComments: true,
      rootDir: join(ROOT, 'shared/src'),
      outDir: out,
    })
    const emitted = readdirSync(out, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.d.ts'))
      .sort()
    return emitted
      .map((file) => {
        const types = readFileSync(join(out, file), 'utf8').replace(/^import .* from '\.[^']*';\n/gm, '')
        return `// ${file.replaceAll('\\', '/')}\n${types}`
      })
      .join('\n')
  } finally {
    rmSync(out, { recursive: true })
  }
}

/** The versions that have a report, the newest first. */
const versions = (): string[] =>
  readdirSync(reports)
    .map((file) => file.replace('.d.ts', ''))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))

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
