import { type Answer, type Fault, startFaultyProxy } from '../src/faulty-proxy.ts'
import { reportViolations } from './driver.ts'

const SCRIPT = '/engine-report.js'
const REPORT = '/engine-report'

/** In the page: sends what the console gets as an error. */
function reportErrors(path: string): void {
  const send = (text: unknown) => void fetch(path, { method: 'POST', body: String(text), keepalive: true })
  const log = console.error
  console.error = (...parts: unknown[]) => {
    send(parts.join(' '))
    log(...parts)
  }
  addEventListener('error', ({ message }) => send(message))
  addEventListener('unhandledrejection', ({ reason }) => send(reason))
}

const script: Fault = (_request, response) =>
  response
    .writeHead(200, { 'content-type': 'text/javascript' })
    .end(`((__name) => { (${reportErrors})('${REPORT}'); (${reportViolations})() })((named) => named)`)

/** The app's own pages; the embedded one is framed without an origin, so it could not load the script. */
function withScript(answer: Answer, path: string): Answer {
  if (!answer.headers['content-type']?.startsWith('text/html') || path.includes('.html')) return answer
  const body = Buffer.from(
    String(answer.body).replace('<meta charset="utf-8">', `$&<script src="${SCRIPT}"></script>`),
  )
  return { ...answer, headers: { ...answer.headers, 'content-length': String(body.length) }, body }
}

/** For WebKit, whose driver gives no console: a script in every page reports to the proxy. */
export async function startReportedProxy(stackUrl: string) {
  const problems: string[] = []
  const proxy = await startFaultyProxy(stackUrl, { edit: withScript })
  proxy.break(`GET ${SCRIPT}`, script)
  proxy.break(`POST ${REPORT}`, (_request, response) => {
    problems.push(proxy.requests.findLast(({ path }) => path === REPORT)?.body ?? '')
    response.writeHead(204).end()
  })
  return { proxy, takeProblems: () => problems.splice(0) }
}
