import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { newFolder } from '@anniversary/api/test/folder'
import { ROOT } from '../packages.ts'

/** Runs main.sh in a small repository, whose builds are there already. */

const folder = newFolder()

function write(file: string, text: string, mode = 0o644) {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text, { mode })
}
function run(program: string, ...args: string[]) {
  const env = {
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
  }
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: join(folder, 'clone'),
    encoding: 'utf8',
    env,
  })
  return { status, output: stdout + stderr }
}
function release(...options: string[]) {
  const { status, output } = run('tools/release/main.sh', ...options)
  const [archive = ''] = /dist\/event-\S+/.exec(output) ?? []
  return { status, output, archive, files: archive && run('tar', '-tf', archive).output }
}

beforeAll(() => {
  write('bin/npm', '#!/bin/sh\n', 0o755)
  write('bin/node', '#!/bin/sh\n[ "$1" != -p ] || echo 1.0.0\n', 0o755)
  for (const file of [
    'api/alerts.yml',
    'api/dist/api.mjs',
    'deploy-server/dist/deploy.mjs',
    'packaging/switch.sh',
    'shell/rspack.config.js',
    'shell/dist/build.json',
    'mf-a/rspack.config.js',
    'mf-a/dist/build.json',
    // Of another branch.
    'mf-old/dist/build.json',
  ])
    write(`clone/${file}`, file)
  write('clone/.gitignore', 'dist/\n*.log\n')
  cpSync(join(ROOT, 'tools/release/main.sh'), join(folder, 'clone/tools/release/main.sh'))
  run('git', 'init', '-q')
  run('git', 'add', '.')
  run('git', '-c', 'user.name=t', '-c', 'user.email=t@example', 'commit', '-qm', 'x')
})

test('an archive holds the pages of its commit, and none that another branch left', () => {
  const { status, archive, files } = release()
  expect(status).toBe(0)
  expect(archive).toMatch(/event-1\.0\.0-[0-9a-f]{12}\.tar\.gz$/)
  expect(files).toMatch(/\/site\/mf-a\/build\.json\n(.*\n)*.*\/site\/shell\/build\.json\n/)
  expect(files).not.toContain('mf-old')
})

test.each(['api/migrations/0009_try.sql', 'mf-a/public/try.log', 'packaging/try.sh'])(
  '%s, which is not in the commit, is packed by --dirty alone',
  (file) => {
    write(`clone/${file}`, 'try')
    expect(release()).toMatchObject({ status: 1, output: expect.stringContaining(file) })
    expect(release('--dirty').archive).toMatch(/-dirty\.tar\.gz$/)
    rmSync(join(folder, 'clone', file))
  },
)

test('--dirty also packs a remote that no commit has', () => {
  for (const file of ['rspack.config.js', 'dist/build.json']) write(`clone/mf-new/${file}`, file)
  expect(release('--dirty').files).toContain('/site/mf-new/build.json\n')
  rmSync(join(folder, 'clone/mf-new'), { recursive: true })
})
