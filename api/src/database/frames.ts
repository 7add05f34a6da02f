import type { Socket } from 'node:net'
import { deserialize, serialize } from 'node:v8'

/** Sends one value over a socket: its length in four bytes, then V8's own form, which knows bytes, dates and bigints. */
export function sendFrame(socket: Socket, value: unknown): void {
  const body = serialize(value)
  const head = Buffer.alloc(4)
  head.writeUInt32BE(body.length)
  socket.write(Buffer.concat([head, body]))
}

/** Calls `onFrame` with each value that arrives. */
export function receiveFrames(socket: Socket, onFrame: (value: unknown) => void): void {
  let held: Buffer[] = []
  let size = 0
  socket.on('data', (chunk: Buffer) => {
    held.push(chunk)
    size += chunk.length
    // Joined only when a frame is complete: a large one comes in many chunks.
    while (size >= 4) {
      const head = held[0] && held[0].length >= 4 ? held[0] : Buffer.concat(held)
      const length = head.readUInt32BE(0)
      if (size < 4 + length) return
      const all = Buffer.concat(held)
      held = [all.subarray(4 + length)]
      size -= 4 + length
      onFrame(deserialize(all.subarray(4, 4 + length)))
    }
  })
}
