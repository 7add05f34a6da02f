import { createHash } from 'node:crypto'
import { type Answer, startFaultyProxy } from '../src/faulty-proxy.ts'
import type { Guest } from '../src/members.ts'
import { expect, test } from '../src/test.ts'
import type { Driver, Visit } from './driver.ts'
import { FOREIGN_POLICY, PROBLEM } from './steps.ts'

const PATH = '/engine-report.js'
const REPORT = '/engine-report'

/**
 * In the page: sends console errors, exceptions and policy violations to the
 * proxy, and makes a foreign policy.
 */
function prepare(path: string, foreign: string): void {
  const { trustedTypes } = window as { trustedTypes?: { createPolicy(...made: unknown[]): void } }
  if (location.search === foreign)
    trustedTypes?.createPolicy('default', { createScriptURL: (url: string) => url })
  const send = (...parts: unknown[]) => void navigator.sendBeacon(path, parts.join(' '))
  console.error = send
  addEventListener('error', ({ message }) => send(message))
  addEventListener('unhandledrejection', ({ reason }) => send(reason))
  document.addEventListener(
    'securitypolicyviolation',
    ({ violatedDirective, blockedURI, sample }) =>
      send(`policy violation: ${violatedDirective} ${blockedURI} ${sample}`),
  )
}

const SCRIPT = `(${prepare})('${REPORT}', '${FOREIGN_POLICY}')`
/** Has a hash, as the pages' Integrity-Policy requires. */
const ELEMENT = `<script src="${PATH}" crossorigin integrity="sha384-${createHash('sha384').update(SCRIPT).digest('base64')}"></script>`

/**
 * Adds the script to every page but the embedded one, which has no origin, so
 * it could not load it. The policy of the strict example allows it.
 */
function withScript(answer: Answer, path: string): Answer {
  if (!answer.headers['content-type']?.startsWith('text/html') || path.includes('sample'))
    return answer
  const policy = answer.headers['content-security-policy']?.replace(
    'script-src http',
    "connect-src 'self'; script-src 'self' http",
  )
  const headers = { ...answer.headers, ...(policy && { 'content-security-policy': policy }) }
  const body = Buffer.from(String(answer.body).replace(/<meta charset=[^>]*>/, `$&${ELEMENT}`))
  return { ...answer, headers, body }
}

/**
 * Does the steps in one browser: each succeeds, and the console has no error.
 */
export async function walk(
  driver: Driver,
  chosen: Readonly<Record<string, (visit: Visit) => Promise<void>>>,
  url: string,
  guest: Guest,
): Promise<void> {
  // WebKit's driver cannot read the console, so a script in every page reports.
  const site = await startFaultyProxy(url, withScript)
  site.break(`GET ${PATH}`, (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(SCRIPT),
  )
  let taken = 0
  const takeProblems = () => {
    const reports = site.requests.filter(({ path }) => path === REPORT).slice(taken)
    taken += reports.length
    return reports.map(({ body }) => body)
  }
  try {
    for (const [name, run] of Object.entries(chosen))
      await test.step(name, async () => {
        await run({ driver, site, guest, takeProblems })
        const problems = takeProblems().filter((problem) => problem !== PROBLEM)
        expect(problems, 'console errors and policy violations').toEqual([])
      })
  } finally {
    await site.close()
  }
}
