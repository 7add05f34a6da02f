import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { callSchema } from '@anniversary/deploy/cli/call-server'
import { type CommandResult, failureOf, withOptions } from '@anniversary/deploy/cli/command'
import { execute } from '@anniversary/deploy/cli/program'
import type { Caller } from '@anniversary/deploy/site/context'
import { FileTarget } from '@anniversary/deploy/target/file-target'
import type { Target } from '@anniversary/deploy/target/target'
import { BUILD_LIMITS } from '@anniversary/shared/contract/composition'
import type { z } from 'zod'
import { serverExtension } from '../cli/extension.ts'
import { callerOf, tokenOf } from './access.ts'
import { calls, rejectedCalls } from './own-health.ts'

const BODY_LIMIT = 64 * 2 ** 20
/** A few builds, with a source map for each file. */
const MOST_FILES = 4 * BUILD_LIMITS.files
/** Characters of a part's headers, which have a path of a build. */
const MOST_HEADER = 2 * BUILD_LIMITS.path + 200
const HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** Answers a call of `deploy … --to`. */
export async function answerPublishCall(
  target: Target,
  access: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  calls.inc()
  const answer = (status: number, result: CommandResult) => {
    if (result.exitCode) rejectedCalls.inc()
    response.writeHead(status, HEADERS).end(JSON.stringify(result))
  }
  const reject = (status: number, why: unknown) => {
    request.resume()
    answer(status, failureOf(why))
  }
  try {
    const caller = await callerOf(access, tokenOf(request))
    if (!caller) return reject(401, 'This token is unknown or was revoked.')
    const result = await answerCall(target, caller, request)
    if (result) answer(200, result)
    else reject(400, `This is no call of \`deploy\`, or larger than ${BODY_LIMIT / 2 ** 20} MB.`)
  } catch (error) {
    console.error(error)
    reject(503, error)
  }
}

/** Returns null when the request is too large or no call. */
async function answerCall(
  target: Target,
  caller: Caller,
  request: IncomingMessage,
): Promise<CommandResult | null> {
  const folder = await mkdtemp(join(tmpdir(), 'deploy-call-'))
  try {
    const call = await unpack(request, folder).catch(() => null)
    if (!call) return null
    const builds = new Map(call.builds.map((name, index) => [name, join(folder, String(index))]))
    // A path of the caller's machine must not be looked up on this one.
    const context = {
      target,
      caller,
      isDryRun: false,
      findBuild: (path: string) => builds.get(path),
    }
    const answer = await execute(
      call.args,
      (command, work) => work(withOptions(command, context)),
      serverExtension,
    )
    // Callers read the names that they gave, and no folder of this machine.
    const hidden = [
      ...builds,
      ['the site', target.url],
      ['the site', target.url.replace(/^file:/, '')],
    ] as const
    const hide = (text: string) =>
      hidden.reduce((shown, [name, place]) => shown.replaceAll(place, name), text)
    const json: unknown =
      answer.json === undefined ? undefined : JSON.parse(hide(JSON.stringify(answer.json)))
    return { ...answer, text: hide(stripVTControlCharacters(answer.text)), json }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function unpack(
  request: IncomingMessage,
  folder: string,
): Promise<z.infer<typeof callSchema>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    // The rest is still read: a caller that is sending would miss the answer.
    if (size <= BODY_LIMIT) chunks.push(chunk)
  }
  if (size > BODY_LIMIT) throw new Error('too large')
  const body = Buffer.concat(chunks)
  const type = request.headers['content-type'] ?? ''
  const [, boundary] = /^multipart\/form-data; boundary=([\w-]+)$/.exec(type) ?? []
  const parts = body.toString('latin1').split(`--${boundary}`, MOST_FILES + 3)
  const isLong = (part: string) => part.search(/\r\n\r\n|$/) > MOST_HEADER
  // Parsing millions of parts or headers would block the server for seconds.
  if (!boundary || parts.length > MOST_FILES + 2 || parts.some(isLong)) throw new Error('no call')
  const form = await new Response(body, { headers: { 'content-type': type } }).formData()
  const call = callSchema.parse(JSON.parse(String(form.get('call'))))
  const store = new FileTarget(folder)
  for (const [name, file] of form) {
    if (name === 'call') continue
    if (typeof file === 'string' || !/^\d+\/(?!\/|.*\.\.)[\w./@+~-]+$/.test(name))
      throw new Error(name)
    await store.write(name, Buffer.from(await file.arrayBuffer()))
  }
  return call
}
