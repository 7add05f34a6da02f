import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { probePort, takeFreePort } from './port.ts'

const take = (host: string, port: number) =>
  takeFreePort(host, port, (free) => `PORT=${free} npm start`, probePort)

test('a taken port says what to do', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  // Only the address of a pipe is a string.
  const { port } = other.address() as AddressInfo
  await expect(take('127.0.0.1', port)).rejects.toThrow(
    `Port ${port} is taken. Stop what uses it, or choose another: PORT=${port + 1} npm start`,
  )
  other.close()
})

test.each([
  ['what is no port', '127.0.0.1', Number('abc'), 'A port is a number from 0 to 65535'],
  ['another address', '192.0.2.77', 0, 'HOST=192.0.2.77 is no address of this machine'],
])('%s says what to do', async (_, host, port, text) => {
  await expect(take(host, port)).rejects.toThrow(text)
})
