import { expect, type Page } from '@playwright/test'
import { card, landingLink, routerIsUp, shellIsUp, takenOver } from './members.ts'

export const TEXTS = {
  failed: 'Không thể tải phần này',
  retry: 'Thử lại',
  crash: 'Đã có lỗi. Vui lòng tải lại trang.',
}

export const failedCard = (page: Page) => page.getByRole('alert').filter({ hasText: TEXTS.failed })
export const crashText = (page: Page) => page.getByRole('alert').filter({ hasText: TEXTS.crash })

/**
 * A remote under test: its page, another page with a link to it, and checks
 * that they work.
 */
export const login = {
  remote: 'mf-auth',
  expose: './LoginPage',
  path: '/login',
  from: {
    path: '/',
    go: (page: Page) => landingLink(page).click(),
    async works(page: Page) {
      await expect(page.getByRole('navigation', { name: 'Bắt đầu' }).getByRole('link')).toHaveCount(
        2,
      )
      // The landing page is in the HTML; before the shell runs, its links load
      // documents.
      await shellIsUp(page)
      await routerIsUp(page)
    },
  },
  async works(page: Page) {
    const account = page.getByLabel('Tài khoản', { exact: true })
    await account.fill('demo01')
    await takenOver(page)
    await expect(account).toHaveValue('demo01')
  },
}

export type Subject = typeof login

export const history: Subject = {
  remote: 'mf-history',
  expose: './HistoryPage',
  path: '/histories',
  from: {
    path: '/home',
    go: (page) => page.getByRole('link', { name: 'Lịch sử' }).click(),
    async works(page) {
      await expect(card(page, /./)).toHaveCount(6)
      await routerIsUp(page)
    },
  },
  works: (page) => expect(page.getByRole('table').first()).toBeVisible(),
}

/** The loader treats all remotes alike, so cases use these two in turn. */
export const inTurn = (turn: number): Subject => (turn % 2 === 0 ? login : history)

/**
 * Expects that the layout shows, and that hanging requests have not used up the
 * connections.
 */
export async function expectTheRestLives(page: Page): Promise<void> {
  await expect(page.getByRole('banner').getByRole('img')).toBeVisible()
  const answered = page.evaluate(async () => (await fetch('/api/client/info')).status)
  expect(await answered, 'status of a call without a token, while the part is broken').toBe(401)
}
