import { enter } from '../src/members.ts'
import { previousBuild } from '../src/site.ts'
import { expect, test } from '../src/test.ts'
import { deploy } from '../src/variant.ts'

const OWN = 'của bản trước'

test('a preview shows a build inside the live site', async ({ page, browser, context, stack }) => {
  const { siteDir, url } = stack
  const { id, link } = JSON.parse(
    await deploy(siteDir, 'preview', previousBuild('mf-history'), '--json'),
  )
  const base = `${url}/preview/${id}`
  const banner = page.getByText(/^Bản xem trước của mf-history 1\.0\.0-\w+, có hiệu lực đến/)
  const heading = page.getByRole('heading', { level: 1 })
  const wayOut = page.getByRole('link', { name: 'Về trang chính thức' })

  await enter(context, url, 'demo03')
  await page.goto(new URL(link, url).href)
  await expect(heading).toContainText(OWN)
  await page.goto(`${base}/home`)
  await expect(banner).toBeVisible()
  await page.getByRole('link', { name: 'Lịch sử' }).click()
  await expect(page).toHaveURL(`${base}/histories`)
  await expect(heading).toContainText(OWN)

  // It leads to the live page of the one that was loaded.
  await wayOut.click()
  await expect(page).toHaveURL(new RegExp(`^${url}/(home|histories)$`))
  await page.goto(`${url}/histories`)
  await expect(page.getByRole('table').first()).toBeVisible()
  await expect(heading).not.toContainText(OWN)
  await expect(banner).toHaveCount(0)

  const guest = await (await browser.newContext()).newPage()
  await guest.goto(`${base}/home`)
  await expect(guest).toHaveURL(`${base}/login`)
  await guest.context().close()
})
