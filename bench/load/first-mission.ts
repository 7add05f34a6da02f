import { loginButton } from '@anniversary/e2e/members'
import type { Page } from '@playwright/test'

declare const benchTimes: { press: number }
declare const benchPress: Promise<void>

/** How long a member types at least; what a site prefetches meanwhile is there. */
const TYPING_MS = 3000

/** Logs in on /login and measures from the press to the frame that shows the first mission. */
export async function pressLogin(page: Page): Promise<void> {
  await page.getByLabel('Tài khoản', { exact: true }).click()
  await page.keyboard.type('demo01')
  await page.getByRole('textbox', { name: 'Số thứ 1' }).click()
  await page.keyboard.type('1234')
  await page.waitForTimeout(TYPING_MS)
  await page.evaluate(() => {
    let pressedAt = Number.NaN
    addEventListener('click', ({ timeStamp }) => (pressedAt = timeStamp), { capture: true, once: true })
    const shown = new Promise<void>((resolve) => {
      const look = () => {
        const mission = document.querySelector('main li button')
        if (!mission || mission.getClientRects().length === 0) return void requestAnimationFrame(look)
        requestAnimationFrame(() => {
          benchTimes.press = performance.now() - pressedAt
          resolve()
        })
      }
      look()
    })
    Object.assign(window, { benchPress: shown })
  })
  await loginButton(page).click()
  await page.evaluate(() => benchPress)
}
