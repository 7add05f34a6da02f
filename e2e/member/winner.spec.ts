import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { violations } from '../src/axe.ts'
import { loginHeading, openAs } from '../src/members.ts'
import { operatorCommand, startStack } from '../src/stack.ts'
import { expect, test } from '../src/test.ts'

/**
 * A member's wins on the real stack during the first draw; its claims are those
 * of the demo.
 */

const party = (page: Page) => page.getByRole('dialog', { name: /^Bạn đã trúng/ })
const lines = (page: Page) => page.getByRole('listitem').filter({ hasText: /trúng .* \(quay/ })

test('a winner sees the win on an open page and later, until it is undone, and at the next login', async ({
  page,
}) => {
  const stack = await startStack({ EVENT_NOW: '2025-09-09T20:30:00+07:00' })
  try {
    await page.clock.install()
    const token = await openAs(page, 'demo03', stack.url)
    const answer = await fetch(`${stack.url}/api/client/history`, {
      headers: { 'x-sign-key': token },
    })
    const history = (await answer.json()) as {
      data: { code_details: { code: string[] }[] }
    }
    const [bike = '', gift = '', voided = ''] = history.data.code_details.flatMap(
      ({ code }) => code,
    )
    await expect(page.getByText(/^Mã dự thưởng của bạn \(/)).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)

    const file = join(stack.dataDir, 'draw.csv')
    const results = [`1,${bike},Xe máy,`, `1,${gift},Code 999k,GIFT-1`, `1,${voided},Điện thoại,`]
    await writeFile(file, ['draw,code,prize,giftcode', ...results].join('\n'))
    operatorCommand(stack.dataDir, 'import', 'draw', file, '--without-list', 'a test')
    operatorCommand(stack.dataDir, 'void', voided, '--reason', 'two accounts')
    await expect(async () => {
      await page.clock.runFor(30_000)
      await expect(party(page)).toBeVisible({ timeout: 1000 })
    }).toPass({ timeout: 60_000 })
    for (const [code, prize] of [
      [bike, 'Xe máy'],
      [gift, 'Code 999k'],
    ] as const)
      await expect(party(page).getByRole('listitem').filter({ hasText: code })).toContainText(
        `Trúng ${prize}`,
      )
    await expect(party(page).getByRole('listitem')).toHaveCount(2)
    expect(await violations(page), 'axe, dialog').toEqual([])
    await page.keyboard.press('Escape')
    await expect(party(page)).toHaveCount(0)
    await expect(lines(page)).toHaveCount(2)
    await expect(page.getByText(/để nhận giải, đến hết ngày 09\/10\/2025/)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Xem trong lịch sử' })).toHaveAttribute(
      'href',
      '/histories',
    )
    expect(await violations(page), 'axe, /home').toEqual([])

    operatorCommand(stack.dataDir, 'undo-draw', bike, '--reason', 'misread')
    await page.reload()
    await expect(lines(page)).toHaveText([`${gift} trúng Code 999k (quay\u00a0lần\u00a01)`])
    await expect(page.getByRole('dialog')).toHaveCount(0)

    await page.getByRole('link', { name: 'Lịch sử', exact: true }).click()
    await expect(page.getByText(`Mã ${gift} trúng Code 999k.`)).toBeVisible()
    await expect(page.getByRole('row').nth(1)).toContainText('★ Trúng Code 999k')
    expect(await violations(page), 'axe, /histories').toEqual([])
    await page.getByRole('button', { name: 'Đổi gift code' }).click()
    await expect(page.getByText('GIFT-1')).toBeVisible()
    await expect(page.getByText(/đến hết/)).toHaveCount(0)

    await page.getByRole('link', { name: 'Quay về' }).click()
    // By the keyboard: the shell ignores a second tap at one place within half
    // a second.
    await page.getByRole('button', { name: 'Quay về' }).press('Enter')
    await expect(loginHeading(page)).toBeVisible()
    expect(
      await page.evaluate(() => localStorage.length),
      'for the next member of this phone',
    ).toBe(0)
    await openAs(page, 'demo03', stack.url)
    await expect(party(page)).toHaveAccessibleName(/Code 999k/)
  } finally {
    await page.goto('about:blank')
    await stack.stop()
  }
})
