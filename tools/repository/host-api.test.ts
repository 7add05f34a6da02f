import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from '@anniversary/api/test/folder'
import { API_CONTRACT } from '@anniversary/shared/contract/api-version'
import { HOST_CONTRACT } from '@anniversary/shared/contract/host'
import { ROOT } from '../packages.ts'

/**
 * The API report of the host port: one file of types for each version of the
 * contract, `shared/host-api/<version>.d.ts`, written once, by the test of a
 * new version (`npm run host-api`). A changed port needs a new version, since
 * remotes of the old one are deployed. The same of the wire,
 * `wire-<version>.d.ts`, since pages that need the old one are open.
 */

const reports = join(ROOT, 'shared/host-api')
const contract = join(ROOT, 'shared/src/contract')
const hostFile = join(contract, 'host.ts')

const folder = newFolder()

/**
 * Compiles files with the settings of the browser's packages. Throws the
 * compiler's errors.
 */
function compile(files: readonly string[], options: Record<string, unknown> = {}): void {
  const compilerOptions = { types: [], rootDir: '/', noEmit: true, composite: false, ...options }
  const project = { extends: join(ROOT, 'build/tsconfig.web.json'), files, compilerOptions }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
  const { status, stdout } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stdout)
}

/**
 * Returns all types that a file reaches, without comments, so that a changed
 * report is a change for its users.
 */
function typesOf(file: string): string {
  const outDir = mkdtempSync(join(folder, 'out-'))
  compile([file], {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    removeComments: true,
    rootDir: join(ROOT, 'shared/src'),
    outDir,
  })
  return (
    readdirSync(outDir, { recursive: true, encoding: 'utf8' })
      // What the campaign says may change; the wire's own types name the kinds
      // of missions.
      .filter((file) => file.endsWith('.d.ts') && !/(event|missions)\.d\.ts$/.test(file))
      .sort()
      .map((file) => {
        const types = readFileSync(join(outDir, file), 'utf8').replace(
          /^import .* from '\.[^']*';\n/gm,
          '',
        )
        return `// ${file.replaceAll('\\', '/')}\n${types}`
      })
      .join('\n')
  )
}

/** Returns the versions that have a report, the newest first. */
const versions = (): string[] =>
  readdirSync(reports)
    .flatMap((file) => /^(\d.*)\.d\.ts$/.exec(file)?.[1] ?? [])
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))

const reportOf = (version: string) => join(reports, `${version}.d.ts`)

test.each([
  ['host port', 'HOST_CONTRACT', hostFile, reportOf(HOST_CONTRACT)],
  ['wire', 'API_CONTRACT', join(contract, 'wire.ts'), reportOf(`wire-${API_CONTRACT}`)],
])('a changed %s has a new %s and its `npm run host-api`', (_port, _version, file, report) => {
  const types = typesOf(file)
  // Written like a new snapshot. If no site has this version yet, delete the
  // file and run the test again.
  if (!existsSync(report) && !process.env.CI) writeFileSync(report, types)
  expect(types).toBe(readFileSync(report, 'utf8'))
})

test('the changelog has an entry for each version, the newest first', () => {
  const changelog = readFileSync(join(reports, '../CHANGELOG.md'), 'utf8')
  const entries = [...changelog.matchAll(/^## (\d+\.\d+)/gm)].map(([, version]) => version)
  expect(entries).toEqual(versions())
  expect(entries[0]).toBe(HOST_CONTRACT)
})

/**
 * Compares functions by their parameters too; TypeScript does not for methods.
 */
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
    compile([remote])
  },
)
