import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { callSchema } from '@anniversary/deploy/cli/call-server'
import { FileTarget } from '@anniversary/deploy/target/file-target'
import { BUILD_LIMITS } from '@anniversary/shared/contract/composition'
import Busboy from '@fastify/busboy'
import type { z } from 'zod'

/** Milliseconds. Slow callers would keep others waiting. */
const READ_MS = 60_000
const LIMITS = {
  fields: 1,
  /** A few builds, with their source maps. */
  files: 4 * BUILD_LIMITS.files,
  /** Bytes of a part's headers, with a build's path. */
  headerSize: 2 * BUILD_LIMITS.path + 200,
}
/** `0/entry.js`: the build's position, and a path in it. */
const FILE_NAME = /^\d+\/(?!\/|.*\.\.)[\w./@+~-]+$/

/**
 * Each build goes below its position.
 * @throws Error when the request is no call
 */
export async function unpackCall(
  request: IncomingMessage,
  folder: string,
): Promise<z.infer<typeof callSchema>> {
  const store = new FileTarget(folder)
  const writing: Promise<void>[] = []
  let call = ''
  let fault: string | undefined

  const type = request.headers['content-type'] ?? ''
  const form = new Busboy({ headers: { 'content-type': type }, limits: LIMITS })
  form.on('field', (_name, value) => {
    call = value
  })
  form.on('file', (name, stream) => {
    if (FILE_NAME.test(name)) {
      const written = buffer(stream).then((bytes) => store.write(name, bytes))
      // Awaited below. An earlier failure must not end the process.
      written.catch(() => undefined)
      writing.push(written)
    } else {
      fault = `${name} is no file of a build`
      stream.resume()
    }
  })
  form.on('fieldsLimit', () => {
    fault = 'more than one call'
  })
  form.on('filesLimit', () => {
    fault = `more than ${LIMITS.files} files`
  })

  // A caller that is still sending would miss the answer.
  await pipeline(request, form, { signal: AbortSignal.timeout(READ_MS) })
  await Promise.all(writing)
  if (fault) throw new Error(fault)
  return callSchema.parse(JSON.parse(call))
}
