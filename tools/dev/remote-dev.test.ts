import { type ChildProcess, spawn } from 'node:child_process'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** `npm run dev` of a remote, as a developer starts it. */
function startDev(): ChildProcess {
  const npm = spawn('npm', ['run', 'dev', '-w', 'mf-auth', '--', '--port', '0'], {
    cwd: resolve(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  groups.push(npm.pid ?? 0)
  return npm
}

const groups: number[] = []
afterAll(() => {
  for (const group of groups)
    try {
      process.kill(-group, 'SIGKILL')
    } catch {
      // It has ended.
    }
})

/** Resolves with what the pattern captures of a process's output. */
async function printed({ stdout, stderr }: ChildProcess, pattern: RegExp): Promise<string> {
  let output = ''
  return await new Promise((done) => {
    for (const stream of [stdout, stderr])
      stream?.on('data', (chunk: Buffer) => {
        output += chunk
        const found = pattern.exec(output)
        if (found) done(found[1] ?? '')
      })
  })
}

async function answers(host: string, port: number): Promise<boolean> {
  const socket = connect(port, host)
  return await new Promise<boolean>((done) => {
    socket.once('connect', () => done(true)).once('error', () => done(false))
  }).finally(() => socket.destroy())
}

test('it is there for this machine alone, and ends with npm', async () => {
  const npm = startDev()
  const port = Number(await printed(npm, /http:\/\/localhost:(\d+)/))
  expect(await answers('127.0.0.1', port)).toBe(true)
  for (const { address, internal, family } of Object.values(networkInterfaces()).flatMap((all) => all ?? []))
    if (!internal && family === 'IPv4') expect(await answers(address, port)).toBe(false)

  // It passes no signal on.
  npm.kill('SIGKILL')
  while (await answers('127.0.0.1', port)) await sleep(100)
})
