import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { createCallQueue } from '@anniversary/deploy/checks/call-queue'
import { CALL_LIMIT } from '@anniversary/deploy/cli/call-server'
import { type CommandResult, commandFailureOf } from '@anniversary/deploy/cli/command-result'
import { withOptions } from '@anniversary/deploy/cli/open-site'
import { executeCommandLine } from '@anniversary/deploy/cli/program'
import type { Caller } from '@anniversary/deploy/site/context'
import type { Target } from '@anniversary/deploy/target/target'
import { serverReports } from '../cli/report-answers.ts'
import { bearerTokenOf, callerOfToken } from './access.ts'
import { countedCalls, rejectedCalls } from './own-health.ts'
import { unpackCall } from './unpack-call.ts'

/**
 * Bytes. Smaller calls wait for no upload, so that a rollback does not either.
 */
const SMALL_CALL = 2 ** 18
const RETRY_SECONDS = 60
const LIMIT_TEXT = `${CALL_LIMIT / 2 ** 20} MB`

const HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** One upload that runs, and two that wait; of all callers five. */
const upload = createCallQueue({ ofCaller: 3, ofAll: 6 })

export async function answerPublishCall(
  target: Target,
  access: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  countedCalls.inc()
  const answer = (status: number, result: CommandResult, headers: object = {}) => {
    if (result.exitCode) rejectedCalls.inc()
    response.writeHead(status, { ...HEADERS, ...headers }).end(JSON.stringify(result))
  }
  // A caller that is still sending would miss the answer.
  const reject = (status: number, why: unknown, headers?: object) => {
    request.resume()
    answer(status, commandFailureOf(why), headers)
  }

  try {
    const caller = await callerOfToken(access, bearerTokenOf(request))
    if (!caller) return reject(401, 'This token is unknown or was revoked.')
    const size = Number(request.headers['content-length'])
    if (Number.isNaN(size)) return reject(411, 'A call needs a content-length.')
    if (size > CALL_LIMIT)
      return reject(413, `A call has at most ${LIMIT_TEXT}. Publish fewer packages at once.`)

    const work = () => answerCall(target, caller, request)
    const result = size > SMALL_CALL ? await upload(caller.name, work) : await work()
    if (result) return answer(200, result)
    const busy = `${caller.name} has three uploads here already, or all together six. Try again in a minute.`
    reject(503, busy, { 'retry-after': RETRY_SECONDS })
  } catch (error) {
    if (error instanceof NoCallError) return reject(400, 'This is no call of `deploy`.')
    console.error(error)
    reject(503, error)
  }
}

class NoCallError extends Error {}

async function answerCall(
  target: Target,
  caller: Caller,
  request: IncomingMessage,
): Promise<CommandResult> {
  const folder = await mkdtemp(join(tmpdir(), 'deploy-call-'))
  try {
    const call = await unpackCall(request, folder).catch((cause: unknown) => {
      throw new NoCallError('', { cause })
    })
    const builds = new Map(call.builds.map((name, index) => [name, join(folder, String(index))]))
    // A path of the caller's machine means nothing here.
    const findBuild = (path: string) => builds.get(path)
    const context = { target, caller, isDryRun: false, findBuild }
    const result = await executeCommandLine(
      call.args,
      (command, work) => work(withOptions(command, context)),
      { reports: serverReports },
    )
    return withoutPlaces(result, [
      ...builds,
      ['the site', target.url],
      ['the site', target.url.replace(/^file:/, '')],
    ])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function withoutPlaces(
  result: CommandResult,
  places: readonly (readonly [name: string, place: string])[],
): CommandResult {
  const hide = (text: string): string => {
    let shown = text
    for (const [name, place] of places) shown = shown.replaceAll(place, name)
    return shown
  }
  const text = hide(stripVTControlCharacters(result.text))
  if (result.json === undefined) return { ...result, text }
  return { ...result, text, json: JSON.parse(hide(JSON.stringify(result.json))) }
}
