import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { makeRepository, PUBLISHED } from './make-repository.ts'

const root = resolve(import.meta.dirname, '../..')
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'outside-'))
  makeRepository(root, folder, 'mf-winners')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** As far as it is read here. */
interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly bin?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}
const readManifest = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Manifest // of npm's own format

test('it makes a whole repository, whose dependencies on the platform are in it', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  expect(files).toEqual(
    expect.arrayContaining([
      ...['.gitignore', '.npmrc', '.nvmrc', '.github/workflows/ci.yml', '.gitlab-ci.yml'],
      ...['CODEOWNERS', 'README.md', 'package.json', 'routes.json', 'rspack.config.js', 'tsconfig.json'],
      ...['src/WinnersPage.tsx', 'src/WinnersPage.test.tsx', 'src/harness.ts'],
    ]),
  )
  const { dependencies, devDependencies } = readManifest(join(folder, 'package.json'))
  const ours = Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) =>
    name.startsWith('@anniversary/'),
  )
  expect(ours.map(([name]) => name).sort()).toEqual(
    PUBLISHED.map((workspace) => `@anniversary/${workspace}`).sort(),
  )
  for (const [, range] of ours) expect(existsSync(join(folder, range.replace('file:', '')))).toBe(true)
  for (const file of ['README.md', 'CODEOWNERS', 'package.json'])
    expect(readFileSync(join(folder, file), 'utf8')).not.toMatch(/template/i)
})

test.each(PUBLISHED)('the package of %s has all that it names, and asks for what a registry has', (name) => {
  const tarball = join(folder, `packages/anniversary-${name}-1.0.0.tgz`)
  const listed = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).split('\n')
  const files = listed.map((file) => file.replace('package/', './'))
  expect(files.filter((file) => /\.test\.|node_modules|\/dist\//.test(file))).toEqual([])

  const { bin = {}, exports = {}, dependencies, ...manifest } = readManifest(join(root, name, 'package.json'))
  expect(manifest).toMatchObject({ publishConfig: { access: 'restricted' }, license: expect.any(String) })
  expect(manifest.private).toBeUndefined()
  const targets = Object.values(exports).flatMap((target) =>
    typeof target === 'string' ? target : Object.values(target),
  )
  expect(targets.length).toBeGreaterThan(0)
  for (const target of [...Object.values(bin), ...targets]) {
    const [start = '', end = ''] = `./${target.replace(/^\.\//, '')}`.split('*')
    expect(files.filter((file) => file.startsWith(start) && file.endsWith(end))).not.toEqual([])
  }
  for (const [asked, range] of Object.entries(dependencies)) {
    const ours = PUBLISHED.find((workspace) => asked === `@anniversary/${workspace}`)
    if (ours) expect(range).toBe(readManifest(join(root, ours, 'package.json')).version)
    else
      expect([asked, range]).toEqual([
        expect.not.stringMatching(/^@anniversary/),
        expect.stringMatching(/^[\^~]?\d/),
      ])
  }
})
