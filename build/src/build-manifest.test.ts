import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { originOf } from './build-manifest.ts'

test('a build comes from a commit, perhaps with changes, or from nowhere known', () => {
  const dir = mkdtempSync(join(tmpdir(), 'origin-'))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], {
      cwd: dir,
      encoding: 'utf8',
    }).trim()
  expect(originOf(dir)).toEqual({})
  writeFileSync(join(dir, 'page.tsx'), '')
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'x')
  const commit = git('rev-parse', 'HEAD')
  expect(originOf(dir)).toEqual({ commit })
  writeFileSync(join(dir, 'page.tsx'), 'changed')
  expect(originOf(dir)).toEqual({ commit, dirty: true })
  rmSync(dir, { recursive: true })
})
