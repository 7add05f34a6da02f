import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { newFolder } from '@anniversary/api/test/folder'
import { ROOT, workspaceFolders } from '../packages.ts'

/**
 * Biome rejects imports that break the dependency rules. Each import is in a
 * file of its own, with this repository's settings.
 */

const REJECTED: [from: string, imported: string][] = [
  // A relative path into another package.
  ...workspaceFolders
    .filter((workspace) => workspace !== 'shared')
    .map((workspace): [string, string] => [
      'shared/src/contract',
      `../../../${workspace}/src/x.ts`,
    ]),
  ['mf-auth/src', '../../shared/src/tokens.css'],
  ['bench', '../shell/src/App.tsx'],
  ['e2e/member', '../../mf-new/src/NewPage.tsx'],
  // A package of the repository that package.json does not declare.
  ['shell/src', '@anniversary/mf-auth/src/LoginPage.tsx'],
  ['mf-auth/src', '@anniversary/shell'],
  ['api/src', '@anniversary/deploy/site/compose'],
  ['deploy/src', '@anniversary/deploy-server/server/access'],
  // A package that npm hoisted for another one.
  ['mf-missions/src', 'react-dom/client'],
  ['mf-megalive/src', 'zustand'],
  ['bench/api', 'fastify'],
  ['.', 'react'],
  // A package that is declared for tests only.
  ['mf-auth/src', '@testing-library/react'],
  ['api/src', 'fast-check'],
  // From the loader into the shell that imports it.
  ['shell/src/loader', '../routing/on-intent.ts'],
  // More of shared than a server may import.
  ['api/src', '@anniversary/shared/ui/Button'],
  ['deploy/src', '@anniversary/shared/client/create-client'],
]

/**
 * Imports like these are all over the repository. Biome must run, or everything
 * would count as rejected.
 */
const ALLOWED = ['shell/src', '@anniversary/shared/ui/Button'] as const

const copy = realpathSync(newFolder())

/** Returns the cases that Biome rejects. */
function rejected(cases: readonly (readonly [from: string, imported: string])[]) {
  for (const file of [
    'biome.json',
    'tools/lint',
    ...['.', ...workspaceFolders].map((at) => `${at}/package.json`),
  ])
    cpSync(join(ROOT, file), join(copy, file), { recursive: true })
  const files = cases.map(([folder], index) => join(copy, folder, `case-${index}.ts`))
  for (const [index, [, imported]] of cases.entries()) {
    const file = files[index] ?? ''
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `import x from '${imported}'\n\nexport const used = x\n`)
  }
  const { stdout } = spawnSync(
    join(ROOT, 'node_modules/.bin/biome'),
    [
      'lint',
      '--config-path=tools/lint/dependencies.json',
      '--vcs-enabled=false',
      '--reporter=github',
      '--max-diagnostics=none',
      '.',
    ],
    { cwd: copy, encoding: 'utf8' },
  )
  const found = stdout
    .split('\n')
    .filter((line) => /title=(plugin|.*no(RestrictedImports|UndeclaredDependencies))/.test(line))
    .map((line) => resolve(copy, /file=([^,]+),/.exec(line)?.[1] ?? ''))
  return cases.filter((_, index) => found.includes(files[index] ?? ''))
}

test('Biome rejects every import against the dependency rules, and no other', () => {
  expect(rejected([...REJECTED, ALLOWED])).toEqual(REJECTED)
})
