import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const SERVER = `
import { onStop } from '${join(import.meta.dirname, 'on-stop.ts')}'
onStop(async () => {
  console.log('closing')
  await new Promise((again) => process.once('SIGTERM', again))
  console.log('closed')
})
setInterval(() => undefined, 1000)
console.log('ready')
`

test('a second signal does not interrupt the shutdown', async () => {
  const server = spawn('node', ['--import', 'tsx', '--input-type=module', '-e', SERVER], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  server.stdout.on('data', (chunk: Buffer) => {
    output += chunk
    if (/ready\n$|closing\n$/.test(output)) server.kill('SIGTERM')
  })
  expect(await once(server, 'exit')).toEqual([0, null])
  expect(output).toBe('ready\nclosing\nclosed\n')
})
