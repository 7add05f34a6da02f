import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProcess } from '../test/start-process.ts'

async function answers(host: string, port: number): Promise<boolean> {
  const socket = connect(port, host)
  return await new Promise<boolean>((done) => {
    socket.once('connect', () => done(true)).once('error', () => done(false))
  }).finally(() => socket.destroy())
}

test('npm run dev of a remote is there for this machine alone, and ends with npm', async () => {
  const npm = await startProcess(['npm', 'run', 'dev', '-w', 'mf-auth', '--', '--port', '0'], {
    cwd: resolve(import.meta.dirname, '../..'),
    ready: /http:\/\/localhost:(\d+)/,
  })
  const port = Number(npm.ready[0])
  expect(await answers('127.0.0.1', port)).toBe(true)
  for (const { address, internal, family } of Object.values(networkInterfaces()).flatMap((all) => all ?? []))
    if (!internal && family === 'IPv4') expect(await answers(address, port)).toBe(false)

  // It passes no signal on.
  await npm.stop('SIGKILL')
  while (await answers('127.0.0.1', port)) await sleep(100)
})
