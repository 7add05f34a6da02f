import type { ComposedRemote } from '@anniversary/shared/contract/composition'
import { FAULTS } from '../src/faults.ts'
import type { Fault } from '../src/faulty-proxy.ts'
import { shellIsUp } from '../src/members.ts'
import { serve } from '../src/server.ts'
import { filesPattern, relocated } from '../src/site.ts'
import { failedCard, subjectOf, TEXTS } from '../src/subjects.ts'
import { expect, LEAVE_TRACE, test } from '../src/test.ts'

/** An attacker who changes what a server sends, but not what was published, runs no code. */

const EVIL_SCRIPT = `${LEAVE_TRACE};var mf_auth={init(){},get(){return Promise.resolve(()=>({default(){return null}}))}}`

/** The attacker replaces the whole file. */
const taken: Fault = async (_request, response, upstream) => {
  const { headers } = await upstream()
  const body = Buffer.from(EVIL_SCRIPT)
  response.writeHead(200, { ...headers, 'content-length': body.length }).end(body)
}

// isolation/files.spec.ts changes a byte of every kind of file.
test('a replaced entry is not run, and is reported', async ({ page, site, traces }) => {
  const subject = subjectOf('mf-auth')
  site.compose(subject, (remote) => {
    site.proxy.break(filesPattern(remote.current, subject, 'entry'), taken)
    return remote
  })
  await site.open(page, subject.path)
  await expect(failedCard(page)).toBeVisible()
  await traces.expectNone()
  expect(site.blamed()).toEqual(['mf-auth integrity'])
})

test('a tampered script of the shell is not run, and the page says that it failed', async ({
  page,
  site,
  traces,
  expectedErrors,
}) => {
  expectedErrors.push(/./)
  const cdp = await page.context().newCDPSession(page)
  for (const name of ['core', 'vendor', 'main']) {
    await cdp.send('Network.clearBrowserCache')
    site.proxy.mend()
    site.proxy.break(new RegExp(`/shell/[^/]+/${name}\\.`), taken)
    await site.open(page, '/login')
    await expect(page.getByRole('alert')).toHaveText('Đã có lỗi. Vui lòng tải lại trang. Tải lại trang')
    await traces.expectNone()
  }
  site.proxy.mend()
  await page.getByRole('link', { name: 'Tải lại trang' }).click()
  await expect(page.getByLabel('Tài khoản', { exact: true })).toBeVisible()
  await shellIsUp(page)
})

test('a composition that names another origin loads nothing from there', async ({
  page,
  site,
  traces,
  expectedErrors,
}) => {
  expectedErrors.push(/Content Security Policy|TrustedScriptURL|Not published/)
  const asked: string[] = []
  const evil = await serve((request, response) => {
    asked.push(request.url ?? '')
    response
      .writeHead(200, { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' })
      .end(EVIL_SCRIPT)
  })
  try {
    const subject = subjectOf('mf-auth')
    // The attacker cannot change the page's CSP header.
    const moved = (remote: ComposedRemote) => ({ ...remote, current: relocated(evil.url, remote.current) })
    site.compose(subject, moved, 'as it was')
    await site.open(page, subject.path)
    await expect(failedCard(page)).toBeVisible()
    expect(asked).toEqual([])
    expect(traces.violations.length).toBeGreaterThan(0)
    await traces.expectNone()
  } finally {
    await evil.close()
  }
})

test('a tampered file of the composition is not used, and a retry takes the published one', async ({
  page,
  site,
}) => {
  site.proxy.break(/^\/composition\//, FAULTS['changed byte'])
  await site.open(page, '/')
  // Before the shell runs, a link loads a document, whose own part of the composition is enough.
  await shellIsUp(page)
  await page.getByRole('link', { name: 'Đăng nhập nhận vé' }).click()
  await expect(failedCard(page)).toBeVisible()
  expect(site.filesOf('mf-auth')).toEqual([])
  expect(site.blamed()).toEqual(['page chunk'])
  site.proxy.mend()
  await page.getByRole('button', { name: TEXTS.retry }).click()
  await expect(page.getByLabel('Tài khoản', { exact: true })).toBeVisible()
})

test('a tampered pointer changes nothing on an open page', async ({ page, site, traces }) => {
  site.proxy.break(/^\/composition\.json/, (_request, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(
        '{"number":999999,"remotes":{"mf-auth":{"current":{"entry":"//evil.example/x.js"}}},"<img src=x>":1}',
      ),
  )
  await site.open(page, '/login')
  await expect(page.getByLabel('Tài khoản', { exact: true })).toBeVisible()
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await page.getByRole('link', { name: 'Quay về' }).click()
  await expect(page).toHaveURL(`${site.proxy.url}/`)
  await traces.expectNone()
})

test('unpublished and inline script, and HTML from text, are refused by the page', async ({
  page,
  site,
  traces,
  expectedErrors,
}) => {
  expectedErrors.push(/Content Security Policy|Trusted(HTML|Script|Type)|Trusted Type|Not published/)
  site.proxy.break(/^\/uploads\/evil\.js/, (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(EVIL_SCRIPT),
  )
  await site.open(page, '/login')
  await expect(page.getByLabel('Tài khoản', { exact: true })).toBeVisible()
  // Playwright's evaluate bypasses the CSP for eval, so the page's own DOM calls try.
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
  await page.getByRole('heading', { name: 'Đăng nhập' }).click()
  expect(site.proxy.requests.map(({ path }) => path)).not.toContain('/uploads/evil.js')
  await traces.expectNone()
})
