import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { newFolder } from '@anniversary/api/test/folder'
import { ROOT } from '../packages.ts'

const root = newFolder()
symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))

// With a new build.json, files of the build before would count as up to date.
test.each([
  ['shell', 'src/loader/core.ts', 'broken(', ['dist/first.old.js', 'dist/core.old.js']],
  // The npm package has no loader for pictures, as the remote has.
  [
    'mf-megalive',
    'src/mega-live.ts',
    "import gift from '@anniversary/shared/campaign/art/gift.svg'; console.log(gift)",
    ['npm/dist/mega-live.js'],
  ],
])('a failed build of %s leaves the build before', (name, source, edit, builtBefore) => {
  const folder = join(root, name)
  const isSource = (path: string) => !/[\\/](dist|node_modules|\.cache)$/.test(path)
  cpSync(join(ROOT, name), folder, { recursive: true, filter: isSource })
  for (const file of ['dist/build.json', ...builtBefore]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), 'before')
  }
  appendFileSync(join(folder, source), edit)

  const cli = join(ROOT, 'node_modules/@rspack/cli/bin/rspack.js')
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'build'], {
    cwd: folder,
    encoding: 'utf8',
    // Jest's environment is a copy.
    env: process.env,
  })
  expect(status).not.toBe(0)
  expect(stdout + stderr).toMatch(/core\.ts|gift\.svg/)
  expect(readFileSync(join(folder, 'dist/build.json'), 'utf8')).toBe('before')
})
