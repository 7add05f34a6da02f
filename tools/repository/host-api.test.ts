import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from '@anniversary/api/test/folder'
import { HOST_CONTRACT } from '@anniversary/shared/contract/host'
import { ROOT } from '../packages.ts'

/**
 * The API report of the host port: one file of types for each version of the contract, `shared/host-api/<version>.d.ts`,
 * written once, by the test of a new version (`npm run host-api`). A changed port needs a new version, since remotes of the
 * old one are deployed.
 */

const reports = join(ROOT, 'shared/host-api')
const hostFile = join(ROOT, 'shared/src/contract/host.ts')

const folder = newFolder()

/** Compiles files with the settings of the browser's packages. Throws the compiler's errors. */
function compile(files: readonly string[], options: Record<string, unknown> = {}): void {
  const compilerOptions = { types: [], rootDir: '/', noEmit: true, composite: false, ...options }
  const project = { extends: join(ROOT, 'build/tsconfig.web.json'), files, compilerOptions }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
  const { status, stdout } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stdout)
}

/** Returns all types that `host.ts` reaches, without comments, so that a changed report is a change for remotes. */
function hostApi(): string {
  const outDir = join(folder, 'out')
  compile([hostFile], {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    removeComments: true,
    rootDir: join(ROOT, 'shared/src'),
    outDir,
  })
  return readdirSync(outDir, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.d.ts'))
    .sort()
    .map((file) => {
      const types = readFileSync(join(outDir, file), 'utf8').replace(/^import .* from '\.[^']*';\n/gm, '')
      return `// ${file.replaceAll('\\', '/')}\n${types}`
    })
    .join('\n')
}

/** Returns the versions that have a report, the newest first. */
const versions = (): string[] =>
  readdirSync(reports)
    .map((file) => file.replace('.d.ts', ''))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))

const reportOf = (version: string) => join(reports, `${version}.d.ts`)

test('a changed host port has a new HOST_CONTRACT and its `npm run host-api`', () => {
  const report = reportOf(HOST_CONTRACT)
  // Written like a new snapshot. If no site has this version yet, delete the file and run the test again.
  if (!existsSync(report) && !process.env.CI) writeFileSync(report, hostApi())
  expect(hostApi()).toBe(readFileSync(report, 'utf8'))
})

test('the changelog has an entry for each version, the newest first', () => {
  const changelog = readFileSync(join(reports, '../CHANGELOG.md'), 'utf8')
  const entries = [...changelog.matchAll(/^## (\d+\.\d+)/gm)].map(([, version]) => version)
  expect(entries).toEqual(versions())
  expect(entries[0]).toBe(HOST_CONTRACT)
})

/** Compares functions by their parameters too; TypeScript does not for methods. */
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
