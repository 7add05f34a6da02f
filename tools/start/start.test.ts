import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'

/*
 * Only how `npm start` refuses: each of these ends before anything is built. That it starts is proved end to end.
 */

const START = join(import.meta.dirname, 'main.ts')

function start(env: Record<string, string>, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', START, ...args], {
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    encoding: 'utf8',
  })
  return { code: status, out: stdout, err: stderr }
}

test('a taken port: one line, exit code 1, before anything is built', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  // Only the address of a pipe is a string.
  const { port } = other.address() as AddressInfo
  const { code, out, err } = start({ PORT: String(port) })
  other.close()
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err.trim()).toBe(
    `Port ${port} is taken. Stop what uses it, or choose another: PORT=${port + 1} npm start`,
  )
})

test('bad variables: one line that names them all, exit code 1', () => {
  const { code, out, err } = start({ PORT: 'abc', EVENT_NOW: 'yesterday', DATABASE_URL: 'mysql://x' })
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err.trim().split('\n')).toHaveLength(1)
  for (const name of ['PORT', 'EVENT_NOW', 'DATABASE_URL']) expect(err.split(name)).toHaveLength(2)
})

test('an address that is not of this machine: one line, exit code 1', () => {
  const { code, err } = start({ PORT: '0', HOST: '192.0.2.77' })
  expect(code).toBe(1)
  expect(err.trim()).toBe('HOST=192.0.2.77 is no address of this machine')
})

test('help', () => {
  const { code, out } = start({}, '--help')
  expect(code).toBe(0)
  expect(out).toMatch(/PORT +port \(3000/)
})
