import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Closes after the parent's end must have been seen. */
const SERVER = `
import { onProcessStop } from '${join(import.meta.dirname, 'on-stop.ts')}'
const sleep = (ms) => new Promise((done) => setTimeout(done, ms))
const parent = process.ppid
onProcessStop(async () => {
  while (process.ppid === parent) await sleep(10)
  await sleep(700)
  console.log('closed')
})
setInterval(() => undefined, 1000)
console.log(process.pid)
`

test('a second signal does not interrupt the shutdown', async () => {
  const npm = spawn('sh', ['-c', 'node --import tsx --input-type=module -e "$0" & wait', SERVER], {
    env: { ...process.env, npm_lifecycle_event: 'dev' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  npm.stdout.on('data', (chunk: Buffer) => (output += chunk))
  while (!output.includes('\n')) await once(npm.stdout, 'data')
  const pid = Number.parseInt(output, 10)
  process.kill(pid, 'SIGINT')
  await sleep(100)
  process.kill(pid, 'SIGINT')
  npm.kill('SIGKILL')
  await once(npm.stdout, 'end')
  expect(output).toMatch(/\nclosed\n/)
})
