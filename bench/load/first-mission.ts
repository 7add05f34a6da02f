import { loginButton } from '@anniversary/e2e/members'
import type { Page } from '@playwright/test'

declare const benchNote: (times: string) => void
declare const benchPress: Promise<void>

/** A member types at least so long, and a site may prefetch meanwhile. */
const TYPING_MS = 3000

/**
 * In the page: measures from the next click to the frame that shows the first
 * mission.
 */
function watchPress(): void {
  const isShown = () => (document.querySelector('main li button')?.getClientRects().length ?? 0) > 0
  const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  const measure = async ({ timeStamp }: Event) => {
    while (!isShown()) await frame()
    benchNote(JSON.stringify({ press: (await frame()) - timeStamp }))
  }
  const shown = new Promise((resolve) =>
    addEventListener('click', (event) => resolve(measure(event)), { capture: true, once: true }),
  )
  Object.assign(window, { benchPress: shown })
}

/** Logs in on /login, and resolves when the first mission is shown. */
export async function pressLogin(page: Page): Promise<void> {
  await page.getByLabel('Tài khoản', { exact: true }).click()
  await page.keyboard.type('demo01')
  await page.getByRole('textbox', { name: 'Số thứ 1' }).click()
  await page.keyboard.type('1234')
  await page.waitForTimeout(TYPING_MS)
  await page.evaluate(watchPress)
  await loginButton(page).click()
  await page.evaluate(() => benchPress)
}
