import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'

/*
 * Only how `npm start` refuses: each of these ends before anything is built. That it starts is proved end to end.
 */

const START = join(import.meta.dirname, 'main.ts')

const start = (env: Record<string, string>, ...args: string[]) =>
  new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    const child = spawn(process.execPath, ['--import', 'tsx', START, ...args], {
      env: { ...process.env, NODE_OPTIONS: '', ...env },
    })
    const text = { out: '', err: '' }
    child.stdout.on('data', (chunk: Buffer) => {
      text.out += chunk
    })
    child.stderr.on('data', (chunk: Buffer) => {
      text.err += chunk
    })
    child.once('close', (code) => resolve({ code, ...text }))
  })

test('a taken port: one line, exit code 1, before anything is built', async () => {
  const other = createServer()
  const port = await new Promise<number>((resolve) => {
    other.listen(0, '127.0.0.1', () => {
      const address = other.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
  const { code, out, err } = await start({ PORT: String(port) })
  other.close()
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err.trim()).toBe(
    `Port ${port} is taken. Stop what uses it, or choose another: PORT=${port + 1} npm start`,
  )
})

test('bad variables: one line that names them all, exit code 1', async () => {
  const { code, out, err } = await start({ PORT: 'abc', EVENT_NOW: 'yesterday', DATABASE_URL: 'mysql://x' })
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err.trim().split('\n')).toHaveLength(1)
  for (const name of ['PORT', 'EVENT_NOW', 'DATABASE_URL']) expect(err.split(name)).toHaveLength(2)
})

test('an address that is not of this machine: one line, exit code 1', async () => {
  const { code, err } = await start({ PORT: '0', HOST: '192.0.2.77' })
  expect(code).toBe(1)
  expect(err.trim()).toBe('HOST=192.0.2.77 is no address of this machine')
})

test('help', async () => {
  const { code, out } = await start({}, '--help')
  expect(code).toBe(0)
  expect(out).toMatch(/PORT +port \(3000/)
})
