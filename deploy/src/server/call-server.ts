import { setTimeout } from 'node:timers/promises'
import { SOURCE_MAPS } from '@anniversary/shared/contract/composition'
import { errorCode } from '@anniversary/shared/error-code'
import { errorMessage } from '@anniversary/shared/error-message'
import { z } from 'zod'
import { type Candidate, ORIGIN, readBuild } from '../builds/read-build.ts'
import { findBuild, findBuilds } from '../cli/find-builds.ts'
import { dim, warningText } from '../cli/text.ts'
import { failureOf, print, type Result, type Verb } from '../cli/verb.ts'
import { UsageError } from '../rejected.ts'
import { jsonBytes } from '../target/target.ts'
import { type Call, DOOR_PATH } from './door.ts'

const resultSchema = z.object({
  exitCode: z.number().int().min(0).max(2),
  text: z.string(),
  json: z.unknown(),
  error: z.boolean(),
})

/**
 * Takes `--to https://…` out of a command line. Not by Commander: `rollback --to 41` is about a composition.
 * @returns `to` undefined: the verb works on the site itself
 */
export function takeServer(args: readonly string[]): { to: string | undefined; rest: string[] } {
  const at = args.findIndex((arg, n) => /^--to(=\D|$)/.test(arg) && !/^\d+$/.test(args[n + 1] ?? ''))
  const isSite = args.some((arg) => /^--site(=|$)/.test(arg))
  if (at < 0) return { to: isSite ? undefined : process.env.DEPLOY_TO || undefined, rest: [...args] }
  if (isSite) throw new UsageError('Name the deploy server by --to, or the site by --site, not both.')
  const joined = args[at]?.startsWith('--to=') ? args[at].slice('--to='.length) : undefined
  return { to: joined ?? args[at + 1] ?? '', rest: args.toSpliced(at, joined === undefined ? 2 : 1) }
}

/** The token must not cross a network in the clear. */
function serverAt(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const isHere = /^(localhost|127\..*|\[::1\])$/.test(url?.hostname ?? '')
  if (url && (url.protocol === 'https:' || (url.protocol === 'http:' && isHere))) return url
  throw new UsageError(`${address || '--to'} is no deploy server: name it by https://…`)
}

/** Options of all verbs that matter here. */
interface Options {
  readonly auto?: number[]
  readonly judge?: boolean
  readonly every?: number
  readonly json?: boolean
  readonly stop?: unknown
  readonly list?: boolean
}

/**
 * Lets the deploy server do the work of a verb.
 * @param args the command line, without `--to`
 */
export async function callServer(to: string, verb: Verb, args: readonly string[]): Promise<Result> {
  const { auto, judge, every = 0, json } = verb.optsWithGlobals<Options>()
  const url = serverAt(to)
  const builds = await buildsOf(verb)
  if (builds.size > 0 && !json) process.stderr.write(dim(`uploading to ${url.host}, where it is checked …\n`))
  const plain = args.filter((arg) => arg !== '--json')
  let result = await send(url, plain, builds)
  if (!auto || judge || result.error) return result
  // The server judges a canary once a call.
  const [build] = builds.values()
  const look = ['canary', build?.build.name ?? verb.args[0] ?? '', '--judge']
  while (!ends.safeParse(result.json).success) {
    // Without an answer the canary stays as it is until the next look.
    if (result.error) process.stderr.write(`${warningText(result.text)}\n`)
    else if (!json) print(result, false)
    await setTimeout(Math.min(every, LOOK_MS))
    result = await send(url, look).catch((error: unknown) => failureOf(error))
  }
  return result
}

const LOOK_MS = 60_000
/** What ends a judge. */
const ends = z.union([
  z.object({ verdict: z.enum(['ended', 'promoted']) }),
  z.object({ error: z.literal('refused') }),
])

/** The builds that a verb's arguments name. */
async function buildsOf(verb: Verb): Promise<Map<string, Candidate>> {
  const { stop, list, judge, auto } = verb.opts<Options>()
  if (!verb.bringsBuilds || stop || list || (judge && !auto)) return new Map()
  const isOne = verb.registeredArguments[0]?.variadic === false
  const paths = verb.args.length > 0 ? verb.args : ['.']
  // The argument of `canary` may name a remote of the site.
  const folders = isOne ? paths.map(findBuild) : findBuilds(paths)
  const found = paths.map(async (path, n): Promise<[string, Candidate][]> => {
    const folder = folders[n]
    return folder ? [[path, await readBuild(folder)]] : []
  })
  return new Map((await Promise.all(found)).flat())
}

async function send(
  url: URL,
  args: readonly string[],
  builds: ReadonlyMap<string, Candidate> = new Map(),
): Promise<Result> {
  const token = process.env.DEPLOY_TOKEN?.trim()
  if (!token) throw new UsageError(`Set DEPLOY_TOKEN to a token for ${url.origin}.`)
  const form = new FormData()
  form.set('call', JSON.stringify({ args, builds: [...builds.keys()] } satisfies Call))
  for (const [index, build] of [...builds.values()].entries())
    for (const [path, bytes] of filesOf(build))
      form.set(`${index}/${path}`, new Blob([new Uint8Array(bytes)]))
  const response = await fetch(new URL(DOOR_PATH, url), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
    redirect: 'error',
  }).catch((error: { cause?: unknown }) => {
    const reason = error.cause ?? error
    throw new Error(`${url.origin} does not answer: ${errorCode(reason) ?? errorMessage(reason)}`)
  })
  if (response.ok) return resultSchema.parse(await response.json())
  // The server's own sentence; a proxy before it answers in HTML.
  const isText = response.headers.get('content-type')?.startsWith('text/plain')
  throw new Error(isText ? (await response.text()).trim() : `${url.origin} answered ${response.status}`)
}

/** Files of a build as they lie in its folder. */
const filesOf = ({ build, files, notes }: Candidate): [path: string, bytes: Buffer][] => [
  ['build.json', jsonBytes(build)],
  ...files,
  ...[...notes].map(([path, bytes]): [string, Buffer] => [
    path === ORIGIN ? path : `${SOURCE_MAPS}/${path}`,
    bytes,
  ]),
]
