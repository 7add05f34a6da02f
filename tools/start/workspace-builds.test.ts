import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { newFolder } from '@anniversary/api/test/folder'
import { ROOT } from '../packages.ts'

const root = newFolder()
symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))

// With a new build.json, files of the build before would count as up to date.
test('a failed first part of a build leaves the build before', () => {
  const folder = join(root, 'shell')
  const isSource = (path: string) => !/[\\/](dist|node_modules|\.cache)$/.test(path)
  cpSync(join(ROOT, 'shell'), folder, { recursive: true, filter: isSource })
  mkdirSync(join(folder, 'dist'))
  for (const file of ['build.json', 'first.old.js', 'core.old.js'])
    writeFileSync(join(folder, 'dist', file), 'before')
  appendFileSync(join(folder, 'src/loader/core.ts'), 'broken(')

  const cli = join(ROOT, 'node_modules/@rspack/cli/bin/rspack.js')
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'build'], {
    cwd: folder,
    encoding: 'utf8',
    // Jest's environment is a copy.
    env: process.env,
  })
  expect(status).not.toBe(0)
  expect(stdout + stderr).toContain('core.ts')
  expect(readFileSync(join(folder, 'dist/build.json'), 'utf8')).toBe('before')
})
