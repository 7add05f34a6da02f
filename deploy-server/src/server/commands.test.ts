import { chown, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { executeCommandLine } from '@anniversary/deploy/cli/program'
import { temporaryFolder } from '@anniversary/deploy/test/fixture-builds'
import { run } from '../../test/run.ts'
import { addAccessToken, readAccessFile, revokeAccessToken } from './access.ts'

test('tokens are added, listed and revoked in a private file', async () => {
  const file = join(await temporaryFolder(), 'access.json')
  const token = (...args: string[]) => run('token', ...args, '--access', file)
  const { out } = await token('add', 'ann', '--packages', 'mf-auth,mf-history')
  expect(out).toMatch(/^[\w-]{43}\n$/)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readFile(file, 'utf8')).not.toContain(out.trim())
  expect((await token('list')).out).toBe('ann  mf-auth, mf-history  everything\n')
  expect((await token('add', 'ann', '--packages', '*')).err).toContain('revoke ann')
  expect((await token('add', 'bob', '--packages', 'MF')).err).toContain('packages')
  expect((await token('revoke', 'ann')).code).toBe(0)
  expect((await token('list')).out).toBe('')
  expect((await token('revoke', 'ann')).code).toBe(2)
})

const isRoot = process.getuid?.() === 0
const asRoot = isRoot ? test : test.skip
const why = isRoot ? '' : ' (only root can give files away)'
asRoot(`a change by root leaves the access file to its owner${why}`, async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'access.json')
  await chown(folder, 65534, 65533)
  await addAccessToken(file, 'ann', ['*'])
  expect(await stat(file)).toMatchObject({ uid: 65534, gid: 65533 })
  await chown(file, 65533, 65534)
  await revokeAccessToken(file, 'ann')
  expect(await stat(file)).toMatchObject({ uid: 65533, gid: 65534 })
})

test('concurrent changes of the access file lose no revocation', async () => {
  const file = join(await temporaryFolder(), 'access.json')
  const names = ['eve', 'ann', 'bob']
  for (const name of names) await addAccessToken(file, name, ['*'])
  const ends = await Promise.allSettled(names.map((name) => revokeAccessToken(file, name)))
  const left = names.filter((_, n) => ends[n]?.status === 'rejected')
  expect(left.length).toBeLessThan(3)
  expect((await readAccessFile(file)).map(({ name }) => name)).toEqual(left)
  await expect(readdir(join(file, '..'))).resolves.toEqual(['access.json'])
})

const uses: [string, string[], RegExp][] = [
  ['a port that is none', ['server', '--port', '99999', '--site', 'x'], /0 to 65535/],
  [
    'no access file',
    ['server', '--access', '/nowhere/x.json', '--site', 'x'],
    /no \/nowhere.*token add/,
  ],
  [
    'a revocation without the access file',
    ['token', 'revoke', 'ann', '--access', '/nowhere/x.json'],
    /no \/nowhere.*DEPLOY_ACCESS/,
  ],
]
test.each(uses)('%s exits with 2 and a reason', async (_name, args, message) => {
  const { code, err } = await run(...args)
  expect(code).toBe(2)
  expect(err).toMatch(message)
})

test('the commands that alerts name are ones of deploy', async () => {
  const rules = await readFile(join(import.meta.dirname, '../../../api/alerts.yml'), 'utf8')
  const actions = rules.match(/(?<=^ +action: ).*/gm)?.join('\n') ?? ''
  expect(actions.replace(/`[^`]*`/g, '')).not.toMatch(/deploy (?!server)[a-z]/)
  const commands = [...actions.matchAll(/`deploy ([^`]*)`/g)].map(([, args = '']) => args)
  expect(commands).toContain('canary stop NAME')
  const accept = async () => ({ text: '' })
  for (const args of commands)
    expect([args, await executeCommandLine(args.split(' '), accept, {})]).toEqual([
      args,
      { text: '' },
    ])
})
