import { setTimeout } from 'node:timers/promises'
import { SOURCE_MAPS } from '@anniversary/shared/contract/composition'
import { errorCode } from '@anniversary/shared/error-code'
import { errorMessage } from '@anniversary/shared/error-message'
import { z } from 'zod'
import { type Candidate, ORIGIN, readBuild } from '../builds/read-build.ts'
import { findBuild, findBuilds } from '../cli/find-builds.ts'
import { dim, warningText } from '../cli/text.ts'
import { print, type Result, type Verb } from '../cli/verb.ts'
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

/**
 * Lets the deploy server do the work of a verb.
 * @param args the command line, without `--to`
 */
export async function callServer(to: string, verb: Verb, args: readonly string[]): Promise<Result> {
  const url = serverAt(to)
  const builds = await buildsOf(verb)
  const { auto, judge, every = 0, json } = verb.optsWithGlobals<Judging>()
  const call = () =>
    send(
      url,
      { args: args.filter((arg) => arg !== '--json'), builds: [...builds.keys()] },
      [...builds.values()],
      Boolean(json),
    )
  if (!auto || judge) return await call()
  const name = [...builds.values()][0]?.build.name ?? verb.args[0] ?? ''
  const look = () => send(url, { args: ['canary', name, '--judge'], builds: [] }, [], true)
  let result = await call()
  // Refused, or not begun: there is nothing to look at.
  if (result.error) return result
  for (;;) {
    const verdict = verdictSchema.safeParse(result.json).data
    if (verdict === 'ended' || verdict === 'promoted' || verdict === 'refused') return result
    if (result.error) process.stderr.write(`${warningText(result.text)}\n`)
    else if (!json) print(result, false)
    await setTimeout(Math.min(every, LOOK_MS))
    result = await look().catch((error: unknown) => ({
      exitCode: 1,
      text: errorMessage(error),
      json: null,
      error: true,
    }))
  }
}

interface Judging {
  readonly auto?: number[]
  readonly judge?: boolean
  readonly every?: number
  readonly json?: boolean
  readonly stop?: unknown
  readonly list?: boolean
}

const LOOK_MS = 60_000
const verdictSchema = z
  .object({ verdict: z.string().optional(), error: z.string().optional() })
  .transform(({ verdict, error }) => verdict ?? error)

/** The builds that a verb's arguments name. */
async function buildsOf(verb: Verb): Promise<Map<string, Candidate>> {
  const { stop, list, judge, auto } = verb.opts<Judging>()
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

async function send(url: URL, call: Call, builds: readonly Candidate[], isQuiet: boolean): Promise<Result> {
  const token = process.env.DEPLOY_TOKEN
  if (!token) throw new UsageError(`Set DEPLOY_TOKEN to a token for ${url.origin}.`)
  const form = new FormData()
  form.set('call', JSON.stringify(call))
  for (const [index, build] of builds.entries())
    for (const [path, bytes] of filesOf(build))
      form.set(`${index}/${path}`, new Blob([new Uint8Array(bytes)]))
  if (builds.length > 0 && !isQuiet)
    process.stderr.write(dim(`uploading to ${url.host}, where it is checked …\n`))
  const response = await fetch(new URL(DOOR_PATH, url), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
    redirect: 'error',
  }).catch((cause: unknown) => {
    const { cause: reason = cause } = cause as { cause?: unknown } // of fetch: it hides why
    throw new Error(`${url.origin} does not answer: ${errorCode(reason) ?? errorMessage(reason)}`)
  })
  if (response.ok) return resultSchema.parse(await response.json())
  const said = (await response.text()).slice(0, 300)
  throw new Error(
    response.headers.get('content-type')?.startsWith('text/plain')
      ? said.trim()
      : `${url.origin} answered ${response.status}`,
  )
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
