import type { ComposedRemote } from '@anniversary/shared/contract/composition'
import { failedCard, TEXTS } from '../isolation/isolation-test.ts'
import { SUBJECTS, subjectOf } from '../isolation/remotes.ts'
import { FAULTS } from '../src/faults.ts'
import type { Fault } from '../src/faulty-proxy.ts'
import { serve } from '../src/server.ts'
import { expect, LEAVE_TRACE, shellIsUp, test } from './security-test.ts'

/** An attacker who changes what a server sends, but not what was published, runs no code. */

const EVIL_SCRIPT = `${LEAVE_TRACE};var mf_auth={init(){},get(){return Promise.resolve(()=>({default(){return null}}))}}`
const EVIL_STYLE = 'body { display: none !important }'

/** The attacker replaces the whole file. */
const taken: Fault = async (request, response, upstream) => {
  const { headers } = await upstream()
  const body = Buffer.from(request.url?.includes('.css') ? EVIL_STYLE : EVIL_SCRIPT)
  response.writeHead(200, { ...headers, 'content-length': body.length }).end(body)
}

// isolation/files.spec.ts changes a byte of every file of every remote.
for (const [index, kind] of (['entry', 'script', 'style'] as const).entries())
  test(`a tampered ${kind} is not run, and is reported`, async ({ page, site, traces }) => {
    const subject = SUBJECTS[index] ?? subjectOf('mf-auth')
    site.compose(subject, (remote) => {
      site.proxy.break(site.urls(remote.current, subject, kind), taken)
      return remote
    })
    await site.open(page, subject.path)
    await expect(failedCard(page)).toBeVisible()
    await traces.expectNone()
    expect(await page.evaluate(() => getComputedStyle(document.body).display)).not.toBe('none')
    expect(site.blamed()).toEqual([`${subject.remote} integrity`])
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
    const moved = (remote: ComposedRemote) => ({ ...remote, current: site.on(evil.url, remote.current) })
    site.compose(subject, moved, 'as it was')
    await site.open(page, subject.path)
    await expect(failedCard(page)).toBeVisible()
    expect(asked).toEqual([])
    expect(traces.violations().length).toBeGreaterThan(0)
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

test('an unpublished script of the own origin is not run', async ({ page, site, traces, expectedErrors }) => {
  expectedErrors.push(/Not published/)
  site.proxy.break(/^\/uploads\/evil\.js/, (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(EVIL_SCRIPT),
  )
  await site.open(page, '/login')
  await expect(page.getByLabel('Tài khoản', { exact: true })).toBeVisible()
  const refusal = await page.evaluate(() => {
    const script = document.createElement('script')
    try {
      script.src = '/uploads/evil.js'
    } catch (error) {
      return String(error)
    }
    document.head.append(script)
    return 'taken'
  })
  expect(refusal).toContain('Not published')
  expect(site.proxy.requests.map(({ path }) => path)).not.toContain('/uploads/evil.js')
  await traces.expectNone()
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
  await page.getByRole('button', { name: 'Quay về' }).click()
  await expect(page).toHaveURL(`${site.proxy.url}/`)
  await traces.expectNone()
})

test('inline script, eval and HTML from text are refused by the page', async ({
  page,
  site,
  traces,
  expectedErrors,
}) => {
  expectedErrors.push(/Content Security Policy|Trusted(HTML|Script|Type)|Trusted Type/)
  await site.open(page, '/login')
  await expect(page.getByLabel('Tài khoản', { exact: true })).toBeVisible()
  // Playwright's evaluate bypasses the CSP for eval, so the page's own DOM calls try.
  const tried = await page.evaluate((code) => {
    const attempt = (work: () => unknown) => {
      try {
        work()
        return 'done'
      } catch (error) {
        return (error as Error).name // what a browser throws is an Error
      }
    }
    const inline = document.createElement('script')
    return [
      attempt(() => {
        document.body.innerHTML = '<p>other'
      }),
      attempt(() => {
        inline.text = code
      }),
      attempt(() => document.body.setAttribute('onclick', code)),
      attempt(() => {
        const worker = new Worker('data:text/javascript,0')
        worker.terminate()
      }),
    ]
  }, LEAVE_TRACE)
  expect(tried.slice(0, 2)).toEqual(['TypeError', 'TypeError'])
  await page.getByRole('heading', { name: 'Đăng nhập' }).click()
  await traces.expectNone()
})
