import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { manifestOf, ROOT } from '../packages.ts'
import { makeRepository, PUBLISHED } from './make-repository.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'outside-'))
  makeRepository(ROOT, folder, 'mf-winners')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('it makes a whole repository, whose dependencies on the platform are in it', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const some = ['.gitignore', '.npmrc', '.nvmrc', '.github/workflows/ci.yml', 'src/WinnersPage.tsx']
  expect(files).toEqual(expect.arrayContaining(some))
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const asked: Record<string, string> = { ...dependencies, ...devDependencies }
  const ours = Object.entries(asked).filter(([name]) => name.startsWith('@anniversary/'))
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

  const { bin = {}, exports = {}, dependencies = {}, ...manifest } = manifestOf(name)
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
    if (ours) expect(range).toBe(manifestOf(ours).version)
    else
      expect([asked, range]).toEqual([
        expect.not.stringMatching(/^@anniversary/),
        expect.stringMatching(/^[\^~]?\d/),
      ])
  }
})
