import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../packages.ts'

/**
 * The API report of the host port: one file of types for each version of the contract, `shared/host-api/<version>.d.ts`,
 * written once, by the test of a new version (`npm run host-api`). A changed port needs a new version, since remotes of the old one are deployed.
 */

export const reports = join(ROOT, 'shared/host-api')
export const hostFile = join(ROOT, 'shared/src/contract/host.ts')

/** Runs the compiler on files of ours with the settings of the browser's packages. Throws what it complains about. */
export function compile(files: readonly string[], options: Record<string, unknown>): void {
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
export function hostApi(): string {
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
export const versions = (): string[] =>
  readdirSync(reports)
    .map((file) => file.replace('.d.ts', ''))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
