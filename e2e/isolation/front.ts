import {
  request as ask,
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Composition, Release } from '@anniversary/shared/contract/composition'
import { COMPOSITION_ELEMENT_ID, CONFIG_ELEMENT_ID } from '@anniversary/shared/contract/element-ids'
import { type Report, reportSchema } from '@anniversary/shared/contract/report'
import type { Answer, Misbehave } from './faults.ts'
import { filesBelow } from './local-files.ts'

export const REPORT_PATH = '/api/reports'

/** A real server in front of a stack: its files misbehave as told, its pages carry another composition. */
export interface Front {
  readonly url: string
  /** Reports that pages have sent, oldest first. */
  readonly reports: readonly Report[]
  /** Paths with query that were asked for, oldest first. */
  readonly asked: readonly string[]
  /** Files whose path, with its query, matches misbehave until `mend`. */
  break(path: RegExp, misbehave: Misbehave): void
  /** The call `METHOD /path` is answered with this JSON, until `reset`; the stack does not hear of it. */
  answer(call: string, body: unknown): void
  /**
   * Pages carry what this makes of the stack's composition.
   * @param options.policy `fits` (default): as `deploy` would have written it for that composition
   */
  compose(
    change: (composition: Composition) => Composition,
    options?: { readonly policy: 'fits' | 'as it was' },
  ): void
  mend(): void
  /** Forgets what was asked and reported, mends everything, and composes as the stack does. */
  reset(): void
  /** Serves a folder's files below a path, as a version folder. */
  serve(path: string, folder: string): void
  close(): Promise<void>
}

export async function startFront(stackUrl: string, ownPort = 0): Promise<Front> {
  const reports: Report[] = []
  const asked: string[] = []
  const breaks: { path: RegExp; misbehave: Misbehave }[] = []
  const same = (composition: Composition) => composition
  const answers = new Map<string, unknown>()
  const folders = new Map<string, Map<string, Answer>>()
  let change = same
  let policyFits = true

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await bodyOf(request)
    const path = request.url?.split('?')[0] ?? '/'
    asked.push(request.url ?? '/')
    if (path === REPORT_PATH) reports.push(reportSchema.parse(JSON.parse(String(body))))
    const given = answers.get(`${request.method} ${path}`)
    if (given !== undefined)
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(given))
    if (path.startsWith('/api/')) return await handOn(stackUrl, request, response, body)
    const [, folder = '', file = ''] = /^(\/[^/]+\/[^/]+)\/(.+)$/.exec(path) ?? []
    const found = folders.get(folder)?.get(file) ?? (await fetchFrom(stackUrl, request))
    const broken = breaks.find((each) => each.path.test(request.url ?? ''))
    if (broken) return broken.misbehave(request, response, found)
    const isPage = found.headers['content-type']?.startsWith('text/html')
    const sent =
      isPage && found.headers['content-security-policy'] ? rewritten(found, change, policyFits) : found
    response.writeHead(found.status, sent.headers).end(sent.body)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      console.error(error)
      request.socket.destroy()
    })
  })
  const port = await listening(server, ownPort)
  return {
    url: `http://localhost:${port}`,
    reports,
    asked,
    break: (path, misbehave) => void breaks.push({ path, misbehave }),
    answer: (call, given) => void answers.set(call, given),
    compose(next, { policy } = { policy: 'fits' }) {
      change = next
      policyFits = policy === 'fits'
    },
    mend() {
      breaks.length = 0
    },
    reset() {
      reports.length = 0
      asked.length = 0
      breaks.length = 0
      answers.clear()
      change = same
      policyFits = true
    },
    serve: (path, folder) => void folders.set(path, filesBelow(folder)),
    close: () => closed(server),
  }
}

export async function listening(server: Server, port = 0): Promise<number> {
  await new Promise<void>((ready, failed) => {
    server.once('error', failed)
    server.listen(port, '127.0.0.1', ready)
  })
  return (server.address() as AddressInfo).port // a TCP server's address is never a string
}

export const closed = (server: Server): Promise<void> =>
  new Promise((done) => {
    server.close(() => done())
    server.closeAllConnections()
  })

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function onward(
  stackUrl: string,
  request: IncomingMessage,
  body: Buffer,
  headers: IncomingMessage['headers'],
) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const { hostname, port } = new URL(stackUrl)
    const { method, url: path } = request
    ask({ hostname, port, path, method, headers }, resolve).on('error', reject).end(body)
  })
}

async function handOn(stackUrl: string, request: IncomingMessage, response: ServerResponse, body: Buffer) {
  const answer = await onward(stackUrl, request, body, request.headers)
  response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
  answer.pipe(response)
}

/** A file of the stack's site, whole and as it is. */
async function fetchFrom(stackUrl: string, request: IncomingMessage): Promise<Answer> {
  const { 'accept-encoding': _, 'if-none-match': __, range: ___, ...headers } = request.headers
  const answer = await onward(stackUrl, request, Buffer.alloc(0), headers)
  const wanted = Object.entries(answer.headers).filter(
    ([name]) => !/^(connection|keep-alive|date)$/.test(name),
  )
  return {
    status: answer.statusCode ?? 502,
    headers: Object.fromEntries(wanted.map(([name, value]) => [name, String(value)])),
    body: await bodyOf(answer),
  }
}

/** The page as `deploy` would have written it for the changed composition, with reports switched on. */
function rewritten(
  { status, headers, body }: Answer,
  change: (composition: Composition) => Composition,
  policyFits: boolean,
): Answer {
  let html = body.toString('utf8')
  const edit = <T>(id: string, next: (value: T) => T) => {
    const block = new RegExp(`(<script type="application/json" id="${id}">)(.*?)(</script>)`, 's')
    html = html.replace(block, (_all, open, json, close) => {
      const value = JSON.stringify(next(JSON.parse(json))).replaceAll('<', '\\u003c')
      return `${open}${value}${close}`
    })
  }
  let before: Composition | undefined
  let changed: Composition | undefined
  edit<Composition>(COMPOSITION_ELEMENT_ID, (composition) => {
    before = composition
    changed = change(structuredClone(composition))
    return changed
  })
  if (before && changed) html = withPreloadsOf(html, before, changed)
  edit<object>(CONFIG_ELEMENT_ID, (config) => ({ ...config, reportUrl: REPORT_PATH }))
  const bytes = Buffer.from(html)
  return {
    status,
    headers: {
      ...headers,
      'content-length': String(bytes.length),
      'content-security-policy': policyFor(
        headers['content-security-policy'] ?? '',
        policyFits ? changed : undefined,
      ),
    },
    body: bytes,
  }
}

const releasesOf = (composition: Composition): Release[] =>
  Object.values(composition.remotes).flatMap(({ current, previous, canary }) => [
    current,
    ...(previous ? [previous] : []),
    ...(canary ? [canary.release] : []),
  ])

/** A page preloads its own remote's files: those of the release that it was given. */
function withPreloadsOf(html: string, before: Composition, after: Composition): string {
  let edited = html
  for (const [name, { current }] of Object.entries(before.remotes)) {
    const next = after.remotes[name]?.current
    if (!next || !edited.includes(`href="${current.entry}"`)) continue
    const folder = current.entry.replace(/[^/]*$/, '')
    const others = edited
      .split('\n')
      .filter((line) => !(line.includes('rel="preload"') && line.includes(`href="${folder}`)))
      .join('\n')
    if (after.remotes[name]?.status === 'off') edited = others
    if (edited === others || next.entry === current.entry) continue
    const exposes = Object.entries(current.exposes)
    const shown =
      exposes.find(([, { js }]) => js.some(({ url }) => edited.includes(`href="${url}"`)))?.[0] ?? ''
    const { js = [], css = [] } = next.exposes[shown] ?? {}
    const foreign = next.entry.startsWith('http') ? ' crossorigin="anonymous"' : ''
    const link = (as: string, url: string, integrity: string, mode: string) =>
      `<link rel="preload" as="${as}" href="${url}" integrity="${integrity}"${mode}>`
    const preloads = [
      link('script', next.entry, next.integrity, foreign),
      ...js.map(({ url, integrity }) => link('script', url, integrity, ' crossorigin="anonymous"')),
      ...css.map(({ url, integrity }) => link('style', url, integrity, ' crossorigin="anonymous"')),
    ]
    edited = others.replace('</head>', `${preloads.join('\n')}\n</head>`)
  }
  return edited
}

function policyFor(policy: string, composition: Composition | undefined): string {
  const origins = new Set(
    (composition ? releasesOf(composition) : []).flatMap(({ entry }) =>
      entry.startsWith('http') ? [new URL(entry).origin] : [],
    ),
  )
  const widened = ['script-src', 'style-src', 'img-src', 'font-src', 'connect-src']
  return policy
    .split('; ')
    .map((directive) =>
      widened.includes(directive.split(' ')[0] ?? '') ? [directive, ...origins].join(' ') : directive,
    )
    .join('; ')
}
