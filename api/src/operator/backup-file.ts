import { createReadStream, createWriteStream, existsSync, renameSync, rmSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { errorCode } from '@anniversary/shared/error-code'

const CHUNK_BYTES = 1 << 20

/** Writes lines into a compressed file that its owner alone may read, and that has its name only when it is whole. */
export async function writeLines(path: string, lines: AsyncIterable<string>): Promise<void> {
  if (existsSync(path)) throw new Error(`${path} exists already; give another name`)
  const unfinished = `${path}.unfinished`
  try {
    await pipeline(
      lines,
      async function* withNewlines(source: AsyncIterable<string>) {
        for await (const line of source) yield `${line}\n`
      },
      createGzip({ level: 1, chunkSize: CHUNK_BYTES }),
      createWriteStream(unfinished, { mode: 0o600, flush: true }),
    )
    renameSync(unfinished, path)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}

/**
 * Reads the lines of a compressed file. Not with `readline`: it ends lines also at characters that JSON does not escape.
 * @throws Error in one line when the file is not there, damaged or cut off
 */
export async function* readLines(path: string): AsyncGenerator<string> {
  const source = createReadStream(path)
  const unpacked = createGunzip({ chunkSize: CHUNK_BYTES })
  source.once('error', (error) => unpacked.destroy(error))
  let rest = ''
  try {
    for await (const chunk of source.pipe(unpacked).setEncoding('utf8')) {
      const lines = `${rest}${chunk}`.split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT') throw new Error('there is no such file')
    if (code === 'Z_BUF_ERROR') throw new Error('it is cut off')
    if (code?.startsWith('Z_')) throw new Error('it is damaged, or no backup')
    throw error
  } finally {
    source.destroy()
  }
}
