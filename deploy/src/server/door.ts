import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'
import { execute } from '../cli/program.ts'
import { type Answer, dryTarget, failureOf } from '../cli/verb.ts'
import { type Caller, onBehalf } from '../site/caller.ts'
import { FileTarget } from '../target/file-target.ts'
import type { Target } from '../target/target.ts'
import { callerOf } from './access.ts'

/** Path of the door. Its requests have a token in their header, never a cookie. */
export const DOOR_PATH = '/control/verb'

const BODY_LIMIT = 64 * 2 ** 20
const HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** The field `call` of a request. Its other fields are files: `0/entry.js` is of the first build. */
const callSchema = z.object({
  args: z.array(z.string()).readonly(),
  builds: z.array(z.string()).readonly(),
})
export type Call = z.infer<typeof callSchema>

/** Answers a call of `deploy … --to`, also one that it refuses. */
export async function openDoor(
  target: Target,
  access: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = (status: number, result: Answer) =>
    response.writeHead(status, HEADERS).end(JSON.stringify(result))
  const refuse = (status: number, why: unknown) => {
    request.resume()
    answer(status, failureOf(why))
  }
  try {
    const token = /^Bearer ([\w-]+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const caller = await callerOf(access, token)
    if (!caller) return refuse(401, 'Nobody has this token, or it was revoked.')
    const result = await answerCall(target, caller, request)
    if (result) answer(200, result)
    else refuse(400, `This is no call of \`deploy\`, or larger than ${BODY_LIMIT / 2 ** 20} MB.`)
  } catch (error) {
    console.error(error)
    refuse(503, error)
  }
}

/** @returns null: the request is too large, or no call */
async function answerCall(target: Target, caller: Caller, request: IncomingMessage): Promise<Answer | null> {
  const folder = await mkdtemp(join(tmpdir(), 'deploy-call-'))
  try {
    const call = await unpack(request, folder).catch(() => null)
    if (!call) return null
    const builds = new Map(call.builds.map((name, index) => [name, join(folder, String(index))]))
    const answer = await onBehalf.run({ ...caller, builds }, () =>
      execute(call.args, (verb, work) => work(dryTarget(verb, target))),
    )
    return { ...answer, text: stripVTControlCharacters(answer.text) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function unpack(request: IncomingMessage, folder: string): Promise<Call> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    // Read to its end all the same: a caller that is still sending would miss the answer.
    if (size <= BODY_LIMIT) chunks.push(chunk)
  }
  if (size > BODY_LIMIT) throw new Error('too large')
  const headers = { 'content-type': request.headers['content-type'] ?? '' }
  const form = await new Response(Buffer.concat(chunks), { headers }).formData()
  const call = callSchema.parse(JSON.parse(String(form.get('call'))))
  const store = new FileTarget(folder)
  for (const [name, file] of form) {
    if (name === 'call') continue
    if (typeof file === 'string' || !/^\d+\/(?!\/|.*\.\.)[\w./@+~-]+$/.test(name)) throw new Error(name)
    await store.write(name, Buffer.from(await file.arrayBuffer()))
  }
  return call
}
