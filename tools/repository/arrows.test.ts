import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'

/** The arrows between packages, seen to be held: each forbidden import in a file of its own, under our own biome.json. */

const root = resolve(import.meta.dirname, '../..')

const REFUSED: [from: string, imported: string][] = [
  ['shared/src/contract', '../../../mf-auth/src/LoginPage.tsx'],
  ['shared/src/ui', '../../../shell/src/App.tsx'],
  ['mf-auth/src', '../../shell/src/App.tsx'],
  ['mf-auth/src', '../../mf-history/src/HistoryPage.tsx'],
  ['mf-missions/src', 'mf-auth/LoginPage'],
  ['mf-missions/src', 'react-dom'],
  ['mf-history/src', 'react-router-dom'],
  ['mf-history/src', 'axios'],
  ['mf-megalive/src', 'zustand'],
  ['shell/src', 'mf-auth/LoginPage'],
  ['shell/src', '../../mf-auth/src/LoginPage.tsx'],
  ['shell/src', '../../api/src/app.ts'],
  ['api/src', '../../shell/src/App.tsx'],
  ['api/src', '@anniversary/shared/ui/Button'],
  ['deploy/src', '../../mf-auth/src/LoginPage.tsx'],
  ['deploy/src', '@anniversary/shared/client/create-client'],
]

const ALLOWED: [from: string, imported: string][] = [
  ['mf-auth/src', '@anniversary/shared/contract/host'],
  ['mf-auth/src', 'react'],
  ['shell/src', '@anniversary/shared/ui/Button'],
  ['shell/src', 'react-router-dom'],
  ['api/src', '@anniversary/shared/contract/wire'],
  ['deploy/src', '@anniversary/shared/contract/composition'],
]

let refused: ReadonlySet<string>
const fileOf = (kind: string, index: number, folder: string) => `${folder}/${kind}-${index}.ts`

beforeAll(() => {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'arrows-')))
  try {
    for (const file of ['biome.json', 'tools/lint'])
      cpSync(join(root, file), join(copy, file), { recursive: true })
    for (const [kind, cases] of [
      ['refused', REFUSED],
      ['allowed', ALLOWED],
    ] as const) {
      for (const [index, [folder, imported]] of cases.entries()) {
        const file = join(copy, fileOf(kind, index, folder))
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, `import x from '${imported}'\n\nexport const used = x\n`)
      }
    }
    const { stdout } = spawnSync(
      join(root, 'node_modules/.bin/biome'),
      ['lint', '--vcs-enabled=false', '--reporter=github', '--max-diagnostics=none', '.'],
      { cwd: copy, encoding: 'utf8' },
    )
    const lines = stdout.split('\n').filter((line) => line.includes('noRestrictedImports'))
    refused = new Set(
      lines.map((line) => relative(copy, resolve(copy, /file=([^,]+),/.exec(line)?.[1] ?? ''))),
    )
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
})

test.each(REFUSED.map(([from, imported], index) => [from, imported, index] as const))(
  '%s may not import %s',
  (from, _imported, index) => {
    expect(refused).toContain(fileOf('refused', index, from))
  },
)

test.each(ALLOWED.map(([from, imported], index) => [from, imported, index] as const))(
  '%s may import %s',
  (from, _imported, index) => {
    expect(refused).not.toContain(fileOf('allowed', index, from))
  },
)
