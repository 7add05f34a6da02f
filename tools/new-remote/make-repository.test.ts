import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
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
