import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { remoteBuild, shellBuild, temporaryFolder } from '@anniversary/deploy/test/fixture-builds'
import { ROOT } from '../packages.ts'

/**
 * `deploy` in a folder where `deploy-server` is not installed. NIGHTLY=1 also
 * checks its types and runs its tests there.
 */
let folder = ''
beforeAll(async () => {
  const alone = await temporaryFolder()
  folder = join(alone, 'deploy')
  cpSync(join(ROOT, 'deploy'), folder, { recursive: true })
  const [packages, own] = [join(alone, 'node_modules'), join(alone, 'node_modules/@anniversary')]
  mkdirSync(own, { recursive: true })
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '@anniversary') symlinkSync(join(ROOT, 'node_modules', name), join(packages, name))
  for (const name of ['build', 'shared']) symlinkSync(join(ROOT, name), join(own, name))
  symlinkSync(folder, join(own, 'deploy'))
})

function run(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}\n${stdout}${stderr}`)
  return stdout + stderr
}
const installed = (path: string) => join(folder, '../node_modules', path)

test('deploy publishes without deploy-server', async () => {
  const site = await temporaryFolder()
  const builds = [await shellBuild(), await remoteBuild()]
  run('bin/deploy.js', 'publish', ...builds, '--site', site, '--no-smoke')
  expect(existsSync(join(site, 'login/index.html'))).toBe(true)
  expect(run('bin/deploy.js', '--help')).not.toMatch(/^ {2}(server|token)\b/m)
})

const nightly = process.env.NIGHTLY ? test : test.skip
nightly('deploy passes its type checks and tests without deploy-server', () => {
  run(installed('typescript/bin/tsc'), '--noEmit')
  const output = run('--experimental-vm-modules', installed('jest/bin/jest.js'))
  expect(output).toMatch(/Tests: +\d+ passed/)
})
