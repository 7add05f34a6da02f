import { stripVTControlCharacters } from 'node:util'
import { runDeployCli } from '../src/cli/program.ts'

/** @returns what a terminal would show, without colours */
export const run = (...args: string[]) => outputOf(() => runDeployCli(args))

export async function outputOf(
  work: () => Promise<number>,
): Promise<{ code: number; out: string; err: string }> {
  const written = { out: '', err: '' }
  const { stdout, stderr } = process
  const [writeOut, writeErr] = [stdout.write, stderr.write]
  const keep = (stream: 'out' | 'err') => (chunk: string | Uint8Array) => {
    written[stream] += stripVTControlCharacters(String(chunk))
    return true
  }
  stdout.write = keep('out')
  stderr.write = keep('err')
  try {
    const code = await work()
    return { code, ...written }
  } finally {
    stdout.write = writeOut
    stderr.write = writeErr
  }
}
