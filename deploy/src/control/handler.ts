import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { errorMessage } from '@anniversary/shared/error-message'
import type { Html } from '../html.ts'
import { Rejected } from '../rejected.ts'
import type { ReportSource } from '../reports/report-source.ts'
import { HTTPS_HEADERS } from '../serve/headers.ts'
import type { Handler } from '../serve/server.ts'
import { onBehalf } from '../site/caller.ts'
import { OverlayTarget } from '../target/overlay-target.ts'
import type { Target } from '../target/target.ts'
import { isFromHere, keyAccess } from './access.ts'
import { actionSchema, run } from './actions.ts'
import { controlPage } from './page.ts'
import { confirmPage, logInPage, refusedPage } from './sheets.ts'
import { controlState } from './state.ts'

export interface ControlOptions {
  readonly target: Target
  /** Opens the page; at least `MIN_KEY` characters. */
  readonly key: string
  readonly source: ReportSource
}

const BODY_LIMIT = 1024

export const isControlPath = (url: string): boolean => /^\/control(?=[/?]|$)/.test(url)

/** Headers of every answer. The page's policy is in its own head (document.ts), so that a file on any host has it too. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // Without a referrer, browsers send no origin with a form.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

interface Answer {
  readonly status: number
  readonly page?: Html
  readonly headers?: Readonly<Record<string, string>>
}
const refused = (status: number, why: string): Answer => ({ status, page: refusedPage(why) })
const goTo = (location: string, headers = {}): Answer => ({ status: 303, headers: { location, ...headers } })

/** Serves the control page under /control to people with the key. */
export function controlHandler({ target, key, source }: ControlOptions): Handler {
  const access = keyAccess(key)

  async function answer(request: IncomingMessage): Promise<Answer> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://control')
    const call = `${request.method === 'HEAD' ? 'GET' : request.method} ${pathname.replace(/\/$/, '')}`
    if (request.method === 'POST' && !isFromHere(request))
      return refused(403, 'This comes from another site. Nothing was changed. Open /control and press there.')
    if (call === 'POST /control/log-in') {
      if (!(Number(request.headers['content-length']) <= BODY_LIMIT))
        return refused(413, 'The name or the key is too long.')
      const sent = new URLSearchParams(await text(request))
      const to = sent.get('to') ?? ''
      const made = access.logIn(request, sent)
      if ('wrong' in made) return { status: made.status, page: logInPage(to, made.wrong) }
      return goTo(isControlPath(to) ? to : '/control', { 'set-cookie': made.cookie })
    }
    const by = access.whoIs(request)
    if (by === undefined)
      return { status: call === 'GET /control' ? 200 : 403, page: logInPage(request.url ?? '') }
    switch (call) {
      case 'GET /control': {
        const follows = searchParams.has('follow')
        const page = controlPage(await controlState(target, source), { by, follows })
        return { status: 200, page, ...(follows && { headers: { refresh: '30' } }) }
      }
      case 'POST /control/log-out':
        access.logOut(request)
        return goTo('/control')
      case 'GET /control/act':
      case 'POST /control/act': {
        const action = actionSchema.safeParse(Object.fromEntries(searchParams))
        if (!action.success) return refused(400, 'There is no such action.')
        if (request.method !== 'POST') {
          const planned = await run(new OverlayTarget(target), action.data)
          return { status: 200, page: confirmPage(action.data, planned) }
        }
        await onBehalf.run(`${by} (control page)`, () => run(target, action.data))
        return goTo('/control')
      }
      default:
        return refused(404, 'There is nothing here.')
    }
  }

  return async (request, response) => {
    const { status, page, headers } = await answer(request).catch((error: unknown): Answer => {
      if (error instanceof Rejected) return { status: 409, page: refusedPage(error.problems) }
      console.error(error)
      return refused(500, errorMessage(error))
    })
    const https = request.headers['x-forwarded-proto'] === 'https' ? HTTPS_HEADERS : {}
    response.statusCode = status
    response.setHeaders(new Map(Object.entries({ ...HEADERS, ...https, ...headers })))
    response.end(page?.markup)
  }
}
