import { enter } from '../src/members.ts'
import { expect, test } from '../src/test.ts'
import { build, checkOut, deploy } from '../src/variant.ts'

const FILE = 'mf-history/src/HistoryPage.tsx'
const NEW = 'của bản xem trước'

test('a preview', async ({ page, browser, context, stack }) => {
  test.setTimeout(120_000)
  const { siteDir, url } = stack
  const changed = await checkOut({
    [FILE]: [['{texts.title}', `{texts.title}{state.name === 'loaded' && ' ${NEW}'}`]],
  })
  const { code, output } = await deploy(siteDir, 'preview', await build(changed, 'mf-history'), '--json')
  expect(code, output).toBe(0)
  const { id, link } = JSON.parse(output)
  const base = `${url}/preview/${id}`
  const banner = page.getByText(/^Bản xem trước của mf-history 1\.0\.0-\w+, có hiệu lực đến/)
  const heading = page.getByRole('heading', { level: 1 })
  const wayOut = page.getByRole('link', { name: 'Về trang chính thức' })

  await enter(context, url, 'demo03')
  await page.goto(new URL(link, url).href)
  await expect(heading).toContainText(NEW)
  await page.goto(`${base}/home`)
  await expect(banner).toBeVisible()
  await page.getByRole('link', { name: 'Lịch sử' }).click()
  await expect(page).toHaveURL(`${base}/histories`)
  await expect(heading).toContainText(NEW)

  await wayOut.click()
  await expect(page).toHaveURL(`${url}/home`)
  await page.getByRole('link', { name: 'Lịch sử' }).click()
  await expect(page).toHaveURL(`${url}/histories`)
  await expect(page.getByRole('table').first()).toBeVisible()
  await expect(heading).not.toContainText(NEW)
  await expect(banner).toHaveCount(0)

  const guest = await (await browser.newContext()).newPage()
  await guest.goto(`${base}/home`)
  await expect(guest).toHaveURL(`${base}/login`)
  await guest.context().close()
})
