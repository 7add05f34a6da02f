import { SOURCE_MAPS } from '@anniversary/shared/contract/composition'
import { errorCode } from '@anniversary/shared/error-code'
import { errorMessage } from '@anniversary/shared/error-message'
import { z } from 'zod'
import { type Candidate, readBuild } from '../builds/read-build.ts'
import { UsageError } from '../rejected.ts'
import { jsonBytes } from '../target/target.ts'
import { findLocalBuild } from './build-folders.ts'
import type { CommonOptions, DeployCommand } from './command.ts'
import { type CommandResult, resultSchema } from './command-result.ts'
import { dimText } from './text.ts'

/** Bytes. All builds of this repository have two million. */
export const CALL_LIMIT = 16 * 2 ** 20

/** Requests have a token in their header, never a cookie. */
export const PUBLISH_PATH = '/control/verb'

/** Other fields of a request are files: `0/entry.js` is of the first build. */
export const callSchema = z.object({
  args: z.array(z.string()).readonly(),
  builds: z.array(z.string()).readonly(),
})
type Call = z.infer<typeof callSchema>

export async function callServer(
  url: URL,
  command: DeployCommand,
  given: readonly string[],
): Promise<CommandResult> {
  const token = process.env.DEPLOY_TOKEN?.trim()
  if (!token) throw new UsageError(`Set DEPLOY_TOKEN to a token for ${url.origin}.`)
  if (!/^[\w-]+$/.test(token))
    throw new UsageError(
      'DEPLOY_TOKEN is no token: it has other characters than letters, digits, - and _.',
    )
  const args = given.filter((arg, n) => !/^--(json|to(=.*)?)$/.test(arg) && given[n - 1] !== '--to')
  const builds = await buildsOf(command)
  if (builds.size > 0 && !command.optsWithGlobals<CommonOptions>().json)
    process.stderr.write(`${dimText(`uploading to ${url.host}, where it is checked …`)}\n`)
  const form = new FormData()
  form.set('call', JSON.stringify({ args, builds: [...builds.keys()] } satisfies Call))
  for (const [index, build] of [...builds.values()].entries())
    for (const [path, bytes] of filesOf(build))
      form.set(`${index}/${path}`, new Blob([new Uint8Array(bytes)]))
  // A server that answers before it has read a streamed form makes Node 24
  // throw outside this promise.
  const upload = new Response(form)
  const body = await upload.arrayBuffer()
  if (body.byteLength > CALL_LIMIT)
    throw new UsageError(
      `These builds have ${Math.ceil(body.byteLength / 2 ** 20)} MB with their source maps, and a call at most ${CALL_LIMIT / 2 ** 20}. Publish fewer packages at once.`,
    )
  const { status, text } = await fetch(new URL(PUBLISH_PATH, url), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': upload.headers.get('content-type') ?? '',
    },
    body,
    redirect: 'error',
  })
    .then(async (response) => ({ status: response.status, text: await response.text() }))
    .catch((error: { cause?: unknown }) => {
      const reason = error.cause ?? error
      const fault = errorCode(reason) ?? errorMessage(reason)
      if (UNREACHED.includes(fault)) throw new Error(`${url.origin} does not answer: ${fault}`)
      throw new Error(`${url.origin} gave no answer: ${fault}. ${MAYBE_MADE}`)
    })
  const { data } = resultSchema.safeParse(await new Response(text).json().catch(() => null))
  if (data) return data
  throw new Error(
    `${url.origin} answered ${status}, and not as a deploy server: ${reasonOf(status)}`,
  )
}

const UNREACHED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']
const MAYBE_MADE = 'The change may have been made: look at `deploy status` before you try again'

function reasonOf(status: number): string {
  if (status === 413)
    return 'a proxy before it refuses a body of this size. Raise its limit (nginx: client_max_body_size)'
  if ([404, 405].includes(status))
    return 'this is the address of a site, or of something else. Name the deploy server by --to or DEPLOY_TO'
  if (status >= 500) return `a proxy before it waits no longer, or cannot reach it. ${MAYBE_MADE}`
  return 'look at the proxy before it'
}

async function buildsOf(command: DeployCommand): Promise<Map<string, Candidate>> {
  const builds = new Map<string, Candidate>()
  if (!command.bringsBuilds || command.opts<{ stop?: unknown }>().stop) return builds
  for (const path of command.args.length > 0 ? command.args : ['.']) {
    const folder = findLocalBuild(path)
    if (folder) builds.set(path, await readBuild(folder))
  }
  return builds
}

const filesOf = ({ build, files, maps }: Candidate): [path: string, bytes: Buffer][] => [
  ['build.json', jsonBytes(build)],
  ...files,
  ...[...maps].map(([path, bytes]): [string, Buffer] => [`${SOURCE_MAPS}/${path}`, bytes]),
]
