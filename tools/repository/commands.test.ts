import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { newFolder } from '@anniversary/api/test/folder'
import { manifestOf, ROOT } from '../packages.ts'
import { runnableCommands } from '../run/commands.ts'

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const tracked = execFileSync('git', ['ls-files', '*.md', '*.yml', '*.ts', '*.tsx', '*.sh'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
const named = (text: string) =>
  [...text.matchAll(/\b(prove|bench|audit) -- ([a-z][\w-]*)/g)].map(([, group, name]) => ({
    group,
    name,
  }))

test('every command that a document, comment or workflow names exists', () => {
  const unknown = tracked.flatMap((file) =>
    named(read(file)).filter(({ group = '', name = '' }) => !runnableCommands[group]?.[name]),
  )
  expect(unknown).toEqual([])
})

test('the nightly pipeline runs the budgets and every proof, in every environment', () => {
  const nightly = read('.github/workflows/nightly.yml')
  expect(nightly).toMatch(/^ +- budgets$/m)
  const lines = nightly.matchAll(/^ +- prove -- ([^#\n]+)/gm)
  const proofs = [...lines].map(([, words = '']) => words.trim().split(' '))
  const names = new Set(proofs.map(([name]) => name))
  expect([...names].sort()).toEqual(Object.keys(runnableCommands.prove ?? {}).sort())

  const listed = proofs.flatMap(([name, ...others]) => (name === 'environments' ? others : []))
  const tries = read('tools/run/environments.sh').matchAll(/(?:^| )try(?:_at)? ([a-z][\w-]*) /gm)
  expect(listed.sort()).toEqual([...tries].map(([, name]) => name).sort())
})

test('a workflow that tags start names no environment of the main branch', () => {
  const ofTags = tracked.filter(
    (file) => file.startsWith('.github/workflows/') && /^ +tags:/m.test(read(file)),
  )
  expect(ofTags).not.toEqual([])
  for (const file of ofTags) expect(read(file)).not.toContain('environment:')
})

test('the root has at most 24 scripts', () => {
  expect(Object.keys(manifestOf('.').scripts ?? {}).length).toBeLessThanOrEqual(24)
})

const root = newFolder()
/** Makes an executable that runs a line of shell. */
function fakeProgram(path: string, line: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), `#!/bin/sh\n${line}\n`, { mode: 0o755 })
}

test.each([
  ['is missing', undefined, 127, ''],
  ['crashes without a word', 'exit 134', 134, ''],
  ['prints an error twice', 'echo a.ts: wrong; echo a.ts: wrong; exit 2', 1, 'a.ts: wrong\n'],
  ['finds no error', ':', 0, ''],
])('the check of types is right where the compiler %s', (_what, line, status, stdout) => {
  const script = join(root, 'tools/check-types.sh')
  mkdirSync(dirname(script), { recursive: true })
  copyFileSync(join(ROOT, 'tools/check-types.sh'), script)
  if (line) fakeProgram('node_modules/.bin/tsc', line)
  expect(spawnSync(script, { encoding: 'utf8' })).toMatchObject({ status, stdout })
})

test.each([
  ['api/prove/claims.ts', ['2.5'], 'no more than 4 whole numbers from 1: calls'],
  ['api/prove/claims.ts', ['9', '9', '9', '9', '9'], 'no more than 4 whole numbers from 1: calls'],
  ['tools/prove/alerts/main.ts', ['CanaryThrows'], 'canaries are proved without arguments'],
  ['bench/api/run.ts', ['2249'], 'give at least 2250 tickets'],
  ['bench/load/main.ts', ['--against', 'HEAD', '--only', 'release'], '--against compares only'],
])('%s rejects %j with a reason', (file, args, reason) => {
  const node = ['--import', 'tsx', file, ...args]
  const { stderr, status } = spawnSync(process.execPath, node, { cwd: ROOT, encoding: 'utf8' })
  expect(stderr).toContain(reason)
  expect(status).toBe(1)
})

test.each([
  ['new-yea.', 2, "There is no environment called 'new-yea.'"],
  ['new-year', 1, 'new-year was not tested: libfaketime is missing'],
])('prove -- environments %s fails where it cannot test', (name, status, sentence) => {
  for (const program of ['find', 'git']) fakeProgram(`bin/${program}`, ':')
  const env = { ...process.env, PATH: `${root}/bin:${process.env.PATH}` }
  const ended = spawnSync(join(ROOT, 'tools/run/environments.sh'), [name], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  })
  expect(ended.stdout + ended.stderr).toContain(sentence)
  expect(ended.status).toBe(status)
})

test('prove -- environments leaves no clone when it is stopped', () => {
  fakeProgram('bin/git', 'mkdir "$4" && kill $PPID')
  const folder = join(root, 'stopped')
  mkdirSync(folder)
  const env = { PATH: `${root}/bin:${process.env.PATH}`, TMPDIR: folder }
  const { signal } = spawnSync(join(ROOT, 'tools/run/environments.sh'), ['turkish'], { env })
  expect(signal).toBe('SIGTERM')
  expect(readdirSync(folder)).toEqual([])
})

const environments = (option: string) =>
  spawnSync(
    process.execPath,
    ['--import', 'tsx', 'tools/run/main.ts', 'prove', 'environments', option],
    { cwd: ROOT, env: { PATH: `${root}/run:${process.env.PATH}` }, encoding: 'utf8' },
  )

test('a command that has no help of its own says what may follow its name', () => {
  const { stdout, status } = environments('--help')
  expect(stdout).toMatch(/^Usage: npm run prove -- environments \[ENVIRONMENT\.\.\.\]\n/)
  expect(status).toBe(0)
})

test('a command that is stopped stops its program, and ends with its code', () => {
  fakeProgram('run/sh', 'trap "exit 7" TERM; kill $PPID; for _ in $(seq 99); do sleep 0.1; done')
  expect(environments('busy').status).toBe(7)
})

test('prove -- mutants fails where a path has no file', () => {
  const script = join(root, 'tools/run/mutants.sh')
  mkdirSync(dirname(script), { recursive: true })
  copyFileSync(join(ROOT, 'tools/run/mutants.sh'), script)
  for (const file of ['bin/npm', 'bin/node', 'api/lane.ts']) fakeProgram(file, ':')
  const env = { PATH: `${root}/bin:${process.env.PATH}` }
  const mutants = (...files: string[]) =>
    spawnSync(script, ['api', ...files], { env, encoding: 'utf8' })
  expect(mutants('*.ts', 'lane.ts').status).toBe(0)
  for (const missing of ['moved.ts', '!old/**/*.ts'])
    expect(mutants('lane.ts', missing)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(missing.replace('!', '')),
    })
})

test('the tests ask for a headless shell only where there is no Chromium at all', () => {
  const errorWith = (browser: string) => {
    for (const program of ['id', browser]) fakeProgram(`${browser}/${program}`, 'echo 1000')
    const env = { PATH: join(root, browser) }
    return spawnSync(join(ROOT, 'tools/require-programs.sh'), { cwd: ROOT, env, encoding: 'utf8' })
      .stderr
  }
  expect(errorWith('firefox')).toMatch(/ chromium-headless-shell .*CHROMIUM_PATH/)
  for (const browser of ['google-chrome', 'chromium', 'chromium-headless-shell'])
    expect(errorWith(browser)).not.toContain(' chromium-headless-shell')
})
