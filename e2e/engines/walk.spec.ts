import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { ViewportSize } from '@playwright/test'
import { ENGINES, type Engine } from '../src/browser.ts'
import { type Answer, startFaultyProxy } from '../src/faulty-proxy.ts'
import type { Guest } from '../src/members.ts'
import { expect, nightlyUnless, test } from '../src/test.ts'
import { startBrowser } from './browsers.ts'
import type { Visit } from './driver.ts'
import { embedSteps, steps } from './steps.ts'

/** One journey in each browser engine: every step succeeds, and the console has no error. */

const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } }

for (const engine of ENGINES) {
  // All other tests run in Chromium.
  for (const [device, size] of Object.entries(SIZES))
    test(
      `${engine}: a member's journey on a ${device}`,
      nightlyUnless(device === 'phone' && engine !== 'chromium'),
      ({ stack, guest }) => walk(engine, size, steps, stack.url, guest),
    )

  test(`${engine}: the embed works on other pages`, { tag: '@nightly' }, ({ stack, examples, guest }) =>
    walk(engine, SIZES.desktop, embedSteps(examples.pages), stack.url, guest),
  )
}

const PATH = '/engine-report.js'
const REPORT = '/engine-report'

/** In the page: sends console errors, exceptions and policy violations to the proxy. */
function reportErrors(path: string): void {
  const send = (...parts: unknown[]) => void navigator.sendBeacon(path, parts.join(' '))
  console.error = send
  addEventListener('error', ({ message }) => send(message))
  addEventListener('unhandledrejection', ({ reason }) => send(reason))
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
    send(`policy violation: ${violatedDirective} ${blockedURI} ${sample}`),
  )
}

const SCRIPT = `(${reportErrors})('${REPORT}')`
/** Has a hash, as the pages' Integrity-Policy requires. */
const ELEMENT = `<script src="${PATH}" crossorigin integrity="sha384-${createHash('sha384').update(SCRIPT).digest('base64')}"></script>`

/** Adds the script to the app's own pages. The embedded page has no origin, so it could not load it. */
function withScript(answer: Answer, path: string): Answer {
  if (!answer.headers['content-type']?.startsWith('text/html') || path.includes('.html')) return answer
  const body = Buffer.from(String(answer.body).replace('<meta charset="utf-8">', `$&${ELEMENT}`))
  return { ...answer, body }
}

async function walk(
  engine: Engine,
  size: ViewportSize,
  chosen: Readonly<Record<string, (visit: Visit) => Promise<void>>>,
  stackUrl: string,
  guest: Guest,
): Promise<void> {
  test.setTimeout(240_000)
  const driver = await startBrowser(engine, size)
  if (!driver) return test.skip(true, `${engine} is not there, and not to be had here`)
  // WebKit's driver cannot read the console, so a script in every page reports.
  const site = await startFaultyProxy(stackUrl, withScript)
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
        expect(takeProblems(), 'console errors and policy violations').toEqual([])
      })
  } catch (error) {
    const picture = await driver.screenshot().catch(() => undefined)
    if (picture) await writeFile(test.info().outputPath('failed.png'), picture)
    throw error
  } finally {
    await driver.stop()
    await site.close()
  }
}
