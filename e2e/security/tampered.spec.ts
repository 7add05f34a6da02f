import type { ServerResponse } from 'node:http'
import { inEngine, SIZES } from '../engines/browsers.ts'
import { until } from '../engines/driver.ts'
import { FAULTS } from '../src/faults.ts'
import { landingLink, loginHeading, routerIsUp, shellIsUp, takenOver } from '../src/members.ts'
import { failedCard, login, TEXTS } from '../src/subjects.ts'
import { expect, expectNoTrace, LEAVE_TRACE, test } from '../src/test.ts'

/**
 * An attacker who changes what a server sends, but not what was published, runs
 * no code.
 */

const EVIL_SCRIPT = `${LEAVE_TRACE};var mf_auth={init(){},get(){return Promise.resolve(()=>({default(){return null}}))}}`

/** The attacker answers. */
const evil = (_request: unknown, response: ServerResponse) =>
  response
    .writeHead(200, { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' })
    .end(EVIL_SCRIPT)

// A remote's files: isolation/files.spec.ts changes a byte of every kind.
test('a tampered script of the shell is not run', async ({ page, site, expectedErrors }) => {
  expectedErrors.push(/./)
  const cdp = await page.context().newCDPSession(page)
  for (const name of ['core', 'vendor', 'main']) {
    await cdp.send('Network.clearBrowserCache')
    site.proxy.restore()
    site.proxy.break(new RegExp(`/shell/[^/]+/${name}\\.`), evil)
    await site.open(page, '/login')
    await expect(page.getByRole('alert')).toContainText('đang tự thử lại')
    await expectNoTrace(page)
  }
  // While the script is still broken: a page that gets it starts by itself, and
  // hides the link.
  await page.getByRole('link', { name: 'Tải lại trang' }).click()
  await expect.poll(() => site.proxy.count('GET /login')).toBe(4)
  site.proxy.restore()
  await expect(page.getByLabel('Tài khoản', { exact: true })).toBeVisible()
  await shellIsUp(page)
})

for (const engine of ['chromium', 'firefox', 'webkit'] as const)
  test(`${engine} itself refuses a script that comes without a hash`, ({ faulty }) =>
    inEngine(engine, SIZES.desktop, async (driver) => {
      /** Opens a page with a change to its HTML. */
      const open = async (change: (html: string) => string) => {
        faulty.break('GET /login', async (_request, response, upstream) => {
          const { headers, body } = await upstream()
          response.writeHead(200, headers).end(change(String(body)))
        })
        await driver.goto(`${faulty.url}/login`)
        await until('the page', () => driver.evaluate(() => document.readyState === 'complete'))
      }
      await open((html) => html)
      const hasCore = () => driver.evaluate(() => 'anniversaryCore' in window)
      await until('the core script', hasCore)
      // As a loader without checks would.
      const loaded = await driver.evaluate(() => {
        const element = document.createElement('script')
        element.crossOrigin = 'anonymous'
        element.src =
          [...document.querySelectorAll<HTMLLinkElement>('[as=script]')].at(-1)?.href ?? ''
        document.head.append(element)
        return new Promise<string>((resolve) => {
          element.onload = () => resolve('ran')
          element.onerror = () => resolve('refused')
        })
      })
      expect(loaded).toBe('refused')
      await open((html) => html.replace(/ integrity="[^"]*"/g, ''))
      expect(await hasCore()).toBe(false)
    }))

test('a composition that names another origin loads nothing from it', async ({
  page,
  site,
  expectedErrors,
}) => {
  expectedErrors.push(/Content Security Policy|TrustedScriptURL|Not published/)
  const violations: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) violations.push(message.text())
  })
  site.foreign.break(/^/, evil)
  const { entry, ...release } = site.current(login)
  const current = { ...release, entry: site.foreign.url + entry }
  // The attacker cannot change the page's CSP header.
  site.compose(login, { current }, { policy: 'as it was' })
  await site.open(page, login.path)
  await expect(failedCard(page)).toBeVisible()
  expect(site.foreign.requests).toEqual([])
  expect(violations.length).toBeGreaterThan(0)
  await expectNoTrace(page)
})

test('a tampered composition file is rejected, and a retry works', async ({ page, site }) => {
  site.proxy.break(/^\/composition\//, FAULTS['changed byte'])
  await site.open(page, '/')
  // Before the router is there, a link loads a document, whose own part of the
  // composition is enough.
  await shellIsUp(page)
  await routerIsUp(page)
  await landingLink(page).click()
  await expect(failedCard(page)).toBeVisible()
  expect(site.filesOf('mf-auth')).toEqual([])
  expect(site.blamed()).toEqual(['page chunk'])
  site.proxy.restore()
  await page.getByRole('button', { name: TEXTS.retry }).click()
  await expect(page.getByLabel('Tài khoản', { exact: true })).toBeVisible()
})

test('unpublished scripts, inline scripts and HTML from text do not run', async ({
  page,
  site,
  expectedErrors,
}) => {
  expectedErrors.push(
    /Content Security Policy|Trusted(HTML|Script|Type)|Trusted Type|Not published/,
  )
  site.proxy.break(/^\/uploads\/evil\.js/, evil)
  await site.open(page, '/login')
  await takenOver(page)
  // Playwright's evaluate bypasses the CSP for eval, so the page's own DOM
  // calls try.
  const tried = await page.evaluate((code) => {
    const attempt = (work: () => unknown) => {
      try {
        work()
        return 'done'
      } catch (error) {
        return String(error)
      }
    }
    const script = document.createElement('script')
    const tries = [
      () => Object.assign(script, { src: '/uploads/evil.js' }),
      () => Object.assign(script, { text: code }),
      () => Object.assign(document.body, { innerHTML: '<p>other' }),
      () => document.body.setAttribute('onclick', code),
      () => new Worker('data:text/javascript,0').terminate(),
    ].map(attempt)
    document.head.append(script)
    return tries
  }, LEAVE_TRACE)
  expect(tried[0]).toContain('Not published')
  expect(tried.slice(1, 3).join()).toMatch(/^TypeError.*,TypeError/)
  await loginHeading(page).click()
  expect(site.proxy.requests.map(({ path }) => path)).not.toContain('/uploads/evil.js')
  await expectNoTrace(page)
})
