import type { Page } from '@playwright/test'
import type { FaultyProxy } from '../src/faulty-proxy.ts'
import { takenOver } from '../src/members.ts'
import { expect, test } from '../src/test.ts'

/**
 * Pages that show before their code is there: nothing that a member does until then is lost. Typing, digits, the one login and
 * code that never comes are steps of engines/steps.ts, in every engine.
 */

/** The largest file of the code, without which nothing takes over, and style files of the first view. */
const HELD = /\/(vendor\.[^/]*\.js|(main|\w+Page)\.[^/]*\.css)/
/** `--accent` on paper. */
const ACCENT = 'rgb(134, 21, 34)'

/** Opens a page whose code does not come before `faulty.release()`. */
async function openPainted(page: Page, faulty: FaultyProxy, path: string): Promise<void> {
  faulty.hold(HELD)
  await page.goto(faulty.url + path, { waitUntil: 'commit' })
  // Its remote's rule, with the host's token.
  await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('color', ACCENT)
}

test('a word being composed is composed to its end', async ({ page, faulty }) => {
  await openPainted(page, faulty, '/check')
  const field = page.getByLabel('Nội dung kiểm tra')
  await field.click()
  const session = await page.context().newCDPSession(page)
  const compose = (text: string) =>
    session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
  await compose('Nguye')
  faulty.release()
  await takenOver(page)
  await compose('Nguyê')
  await session.send('Input.insertText', { text: 'Nguyễn' })
  await expect(field).toHaveValue('Nguyễn')
})

test('a choice and a press on /check are kept', async ({ page, faulty }) => {
  await openPainted(page, faulty, '/check')
  await page.getByLabel('Mã dự thưởng').check()
  await page.getByLabel('Nội dung kiểm tra').fill('ABC')
  const button = page.getByRole('button', { name: 'KIỂM TRA NGAY' })
  await button.click()
  await expect(button).toHaveCSS('opacity', '0.6')
  faulty.release()
  await expect.poll(() => faulty.count('POST /api/client/check')).toBe(1)
  await expect(page.getByLabel('Mã dự thưởng')).toBeChecked()
  expect(faulty.requests.find(({ call }) => call === 'POST /api/client/check')?.body).toContain('"ABC"')
})

test('a button that leads elsewhere leads there when it can', async ({ page, faulty }) => {
  await openPainted(page, faulty, '/login')
  await page.getByRole('button', { name: 'Thể lệ chương trình' }).click()
  faulty.release()
  await expect(page.getByRole('dialog', { name: 'Thể lệ chương trình' })).toBeVisible()
})
