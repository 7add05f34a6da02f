import type { IncomingMessage } from 'node:http'
import { PUBLISH_PATH } from '@anniversary/deploy/cli/call-server'
import { Rejected } from '@anniversary/deploy/rejected'
import { httpsHeadersFor } from '@anniversary/deploy/serve/headers'
import { type Handler, READING_METHODS } from '@anniversary/deploy/serve/server'
import { asDryRun, type Context } from '@anniversary/deploy/site/context'
import { newestRecord } from '@anniversary/deploy/site/record'
import type { Target } from '@anniversary/deploy/target/target'
import { errorMessage } from '@anniversary/shared/error-message'
import type { Html } from '@anniversary/shared/html-template'
import { actionSchema, runControlAction } from '../control/actions.ts'
import { controlPage } from '../control/page.ts'
import { confirmationPage, rejectedPage } from '../control/sheets.ts'
import { readControlState } from '../control/state.ts'
import { callerOfToken } from './access.ts'
import { answerAlerts } from './alert-receiver.ts'
import { foreignRequest } from './foreign-request.ts'
import { answerLiveness, answerMetrics } from './own-health.ts'
import { answerPublishCall } from './publish-api.ts'

/** A page's policy is in its `<meta>`. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

/**
 * Browsers keep the password. `foreignRequest` keeps other pages from using it.
 */
const ASK = { 'www-authenticate': 'Basic realm="deploy", charset="UTF-8"' }

function passwordOf({ headers }: IncomingMessage): string {
  const { authorization = '' } = headers
  const [, basic = ''] = /^Basic (.+)$/.exec(authorization) ?? []
  return Buffer.from(basic, 'base64').toString().replace(/^.*:/, '')
}

export const controlHandler =
  (target: Target, access: string): Handler =>
  async (request, response) => {
    const { url = '/', method = '' } = request
    if (url === PUBLISH_PATH) return await answerPublishCall(target, access, request, response)
    if (url === '/livez')
      return response.writeHead(200, { 'content-type': 'application/json' }).end(answerLiveness())
    if (url === '/alerts' && method === 'POST')
      return await answerAlerts(target, access, request, response)
    if (url === '/metrics') return await answerMetrics(target, access, request, response)
    const https = httpsHeadersFor(request)
    const answer = (status: number, page?: Html, headers: Record<string, string> = {}) =>
      response.writeHead(status, { ...HEADERS, ...https, ...headers }).end(page?.markup)
    const reject = (status: number, why: string, headers?: Record<string, string>) =>
      answer(status, rejectedPage(why), headers)
    try {
      if (!URL.canParse(url, 'http://control')) return reject(400, 'This is no address.')
      const { pathname, searchParams } = new URL(url, 'http://control')
      const path = pathname.replace(/\/$/, '')
      const isPost = method === 'POST'
      const isRead = READING_METHODS.includes(method)
      const foreign = foreignRequest(request, (await newestRecord(target))?.config.eventUrl)
      if (foreign) return reject(403, foreign)
      const caller = await callerOfToken(access, passwordOf(request))
      if (!caller) return reject(401, 'The password is your token.', ASK)
      if (path === '/control' && isRead)
        return answer(200, controlPage(await readControlState(target), caller))
      const isAction = path === '/control/act' && (isRead || isPost)
      if (!isAction) return reject(404, 'There is nothing here.')
      const action = actionSchema.safeParse(Object.fromEntries(searchParams))
      if (!action.success) return reject(400, 'There is no such action.')
      const context: Context = { target, caller, isDryRun: false }
      if (!isPost)
        return answer(
          200,
          confirmationPage(action.data, await runControlAction(asDryRun(context), action.data)),
        )
      await runControlAction(context, action.data)
      answer(303, undefined, { location: '/control' })
    } catch (error) {
      if (error instanceof Rejected) return answer(409, rejectedPage(error.problems))
      console.error(error)
      reject(500, errorMessage(error))
    }
  }
