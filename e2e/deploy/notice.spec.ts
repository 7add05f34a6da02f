import type { Page } from '@playwright/test'
import { violations } from '../src/axe.ts'
import { enter, takenOver } from '../src/members.ts'
import { expect, test } from '../src/test.ts'
import { deploy } from '../src/variant.ts'

const TEXT = 'Buổi quay bắt đầu lúc 20:15'

const banner = (page: Page) => page.locator('#root > [role=status]').getByText(TEXT)

/** Counts the page's requests for the API, and for the code of notices. */
function countRequests(page: Page) {
  const count = { api: 0, code: 0 }
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) count.api += 1
    if (/\/notice\.\w+\.js$/.test(pathname)) count.code += 1
  })
  return count
}

test('a notice shows on open and on new pages, and goes by itself', async ({
  page,
  context,
  stack,
}) => {
  const { siteDir, url } = stack
  const until = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+/, '')

  await enter(context, url, 'demo03')
  await page.clock.install()
  const count = countRequests(page)
  await page.goto(`${url}/home`)
  await page.waitForLoadState('networkidle')
  await takenOver(page)
  // The second look at the composition comes after all that the first has led to.
  for (const _twice of [1, 2]) {
    const looked = page.waitForEvent('requestfinished', (request) =>
      request.url().endsWith('/composition.json'),
    )
    await page.clock.fastForward(55_000)
    await looked
  }
  expect(count.code).toBe(0)

  await deploy(siteDir, 'notice', TEXT, '--until', until)
  const { api } = count
  await page.clock.fastForward(55_000)
  await expect(banner(page)).toBeVisible()
  expect(count).toEqual({ api, code: 1 })
  await expect(page.getByText('Đã có phiên bản mới của trang.')).toHaveCount(0)

  // Each kind of page: one of the host, one of a remote, one that fills the
  // window.
  const fresh = await context.newPage()
  for (const path of ['/check', '/histories', '/megalive', '/']) {
    await fresh.goto(url + path)
    await expect(banner(fresh)).toBeVisible()
  }
  await fresh.setViewportSize({ width: 320, height: 640 })
  expect(await violations(fresh)).toEqual([])

  await page.clock.fastForward(3_600_000)
  await expect(banner(page)).toHaveCount(0)

  await deploy(siteDir, 'notice', '--off')
  await fresh.reload({ waitUntil: 'networkidle' })
  await expect(banner(fresh)).toHaveCount(0)
})
