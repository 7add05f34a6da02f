import type { Browser, BrowserContext, Page } from '@playwright/test'
import { enter, routerIsUp } from '../src/members.ts'
import { expect, test } from '../src/test.ts'
import { build, checkOut, deploy } from '../src/variant.ts'

/**
 * Teams publish while members are on the site, and versions meet that were
 * never built together. Each pair works, or `deploy` rejects it with the
 * reason. The next version adds a field to the host port
 * (docs/use/contract.md).
 */
const NEXT = {
  'shared/src/contract/host.ts': [
    ["HOST_CONTRACT = '1.0'", "HOST_CONTRACT = '1.1'"],
    [
      '  readonly config: PublicConfig',
      '  readonly config: PublicConfig\n  /** Since 1.1. */\n  readonly greeting: string',
    ],
  ],
  'shell/src/host/create-host.ts': [
    [
      '    contract: HOST_CONTRACT,',
      "    contract: HOST_CONTRACT,\n    greeting: 'Xin chào từ 1.1',",
    ],
  ],
  // Not in the page's first HTML, which knows no host.
  'mf-history/src/HistoryPage.tsx': [
    ['{texts.title}', "{texts.title}{state.name === 'loaded' && ': ' + host.greeting}"],
  ],
} as const
const OLD_TITLE = 'Lịch sử nhận vé'
const NEW_TITLE = 'Lịch sử nhận vé: Xin chào từ 1.1'

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const back = (page: Page) => page.getByRole('link', { name: 'Quay về' }).click()

async function freshPage(browser: Browser, member: BrowserContext): Promise<Page> {
  const context = await browser.newContext({
    storageState: await member.storageState(),
    locale: 'vi-VN',
  })
  return await context.newPage()
}

async function openHistory(page: Page, title: string): Promise<void> {
  // A page load instead of a move would bring the newest versions.
  await routerIsUp(page)
  await page.getByRole('link', { name: 'Lịch sử' }).click()
  await expect(heading(page)).toHaveText(title)
  await expect(page.getByRole('table').first()).toBeVisible()
}

test('open pages keep their versions, and versions that do not fit are rejected', async ({
  page,
  browser,
  context,
  stack,
}) => {
  const { siteDir, url } = stack
  const home = `${url}/home`
  const next = await checkOut(NEXT)
  const [shell, history] = await Promise.all([build(next, 'shell'), build(next, 'mf-history')])
  await enter(context, url, 'demo03')
  await page.goto(home)

  await test.step('shell N runs the remotes N-1', async () => {
    await deploy(siteDir, 'publish', shell, '--no-smoke')
    const early = await freshPage(browser, context)
    await early.goto(home)
    await openHistory(early, OLD_TITLE)
  })

  const fresh = await freshPage(browser, context)
  await test.step('both N: the new field arrives, on fresh pages only', async () => {
    await deploy(siteDir, 'publish', history, '--no-smoke')
    await openHistory(page, OLD_TITLE)
    await fresh.goto(home)
    await openHistory(fresh, NEW_TITLE)
  })

  await test.step('an open page that gets the focus again offers to reload', async () => {
    const offer = page.getByText('Đã có phiên bản mới của trang.')
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect(offer).toBeVisible()
    await page.getByRole('button', { name: 'Tải lại' }).click()
    await expect(heading(page)).toHaveText(NEW_TITLE)
  })

  await test.step('shell N-1 under remote N is rejected; the remote goes back first', async () => {
    const goBack = () => deploy(siteDir, 'rollback', 'shell', '--number', '1')
    await expect(goBack()).rejects.toThrow(
      /mf-history .*is built for host contract 1\.1, the shell offers 1\.0/,
    )
    await deploy(siteDir, 'rollback', 'mf-history')
    await goBack()
    const again = await freshPage(browser, context)
    await again.goto(home)
    await openHistory(again, OLD_TITLE)
    // A page that booted with the new version keeps it.
    await back(fresh)
    await openHistory(fresh, NEW_TITLE)
  })
})
