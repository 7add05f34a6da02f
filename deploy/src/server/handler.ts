import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { errorMessage } from '@anniversary/shared/error-message'
import { actionSchema, run } from '../control/actions.ts'
import { controlPage } from '../control/page.ts'
import { confirmPage, logInPage, refusedPage } from '../control/sheets.ts'
import { controlState } from '../control/state.ts'
import type { Html } from '../html.ts'
import { Rejected } from '../rejected.ts'
import type { ReportSource } from '../reports/report-source.ts'
import { HTTPS_HEADERS } from '../serve/headers.ts'
import type { Handler } from '../serve/server.ts'
import { onBehalf } from '../site/caller.ts'
import { OverlayTarget } from '../target/overlay-target.ts'
import type { Target } from '../target/target.ts'
import { callerOf } from './access.ts'
import { DOOR_PATH, openDoor } from './door.ts'

export interface ControlOptions {
  readonly target: Target
  readonly access: string
  readonly source: ReportSource
}

const BODY_LIMIT = 1024

export const isControlPath = (url: string): boolean => /^\/control(?=[/?]|$)/.test(url)

/** Headers of every answer; the page's policy is in its own head (document.ts). */
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

/** Whether a page of this origin sends this, according to Sec-Fetch-Site, or over plain http to Origin. */
function isFromHere({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return headers.origin?.replace(/^https?:\/\//, '') === headers.host
}

const COOKIE = /(?:^|; )control=([\w-]+)/

/** Serves the control page under /control, and the door, to people and pipelines with a token. */
export function controlHandler({ target, access, source }: ControlOptions): Handler {
  async function answer(request: IncomingMessage): Promise<Answer> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://control')
    const call = `${request.method === 'HEAD' ? 'GET' : request.method} ${pathname.replace(/\/$/, '')}`
    if (request.method === 'POST' && !isFromHere(request))
      return refused(403, 'This comes from another site. Nothing was changed. Open /control and press there.')
    if (call === 'POST /control/log-in') {
      if (!(Number(request.headers['content-length']) <= BODY_LIMIT))
        return refused(413, 'The token is too long.')
      const sent = new URLSearchParams(await text(request))
      const [to, token] = [sent.get('to') ?? '', sent.get('token')?.trim() ?? '']
      if (!(await callerOf(access, token)))
        return { status: 403, page: logInPage(to, 'Nobody has this token, or it was revoked.') }
      const secure = request.headers['x-forwarded-proto'] === 'https' ? '; Secure' : ''
      const cookie = `control=${token}; Path=/control; HttpOnly; SameSite=Strict${secure}`
      return goTo(isControlPath(to) ? to : '/control', { 'set-cookie': cookie })
    }
    const caller = await callerOf(access, COOKIE.exec(request.headers.cookie ?? '')?.[1] ?? '')
    if (!caller) return { status: call === 'GET /control' ? 200 : 403, page: logInPage(request.url ?? '') }
    switch (call) {
      case 'GET /control':
        return { status: 200, page: controlPage(await controlState(target, source), caller) }
      case 'POST /control/log-out':
        return goTo('/control', { 'set-cookie': 'control=; Path=/control; Max-Age=0' })
      case 'GET /control/act':
      case 'POST /control/act': {
        const action = actionSchema.safeParse(Object.fromEntries(searchParams))
        if (!action.success) return refused(400, 'There is no such action.')
        const act = (site: Target) => onBehalf.run(caller, () => run(site, action.data))
        if (request.method !== 'POST')
          return { status: 200, page: confirmPage(action.data, await act(new OverlayTarget(target))) }
        await act(target)
        return goTo('/control')
      }
      default:
        return refused(404, 'There is nothing here.')
    }
  }

  return async (request, response) => {
    if (request.url === DOOR_PATH) return await openDoor(target, access, request, response)
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
