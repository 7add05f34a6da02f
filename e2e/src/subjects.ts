import { expect, type Page } from '@playwright/test'
import { shellIsUp, takenOver } from './members.ts'

export const TEXTS = {
  failed: 'Không thể tải phần này',
  off: 'Tạm ngưng phục vụ',
  retry: 'Thử lại',
  crash: 'Đã có lỗi. Vui lòng tải lại trang.',
}

export const failedCard = (page: Page) => page.getByRole('alert').filter({ hasText: TEXTS.failed })
export const crashText = (page: Page) => page.getByRole('alert').filter({ hasText: TEXTS.crash })

/** A remote under test: its page, the way there, and the sign that it works. */
export interface Subject {
  readonly remote: string
  readonly expose: string
  readonly path: string
  /** True when its page shows inside the shared layout. */
  readonly layout: boolean
  /** Another page with a control that leads to it. */
  readonly from: {
    readonly path: string
    go(page: Page): Promise<void>
    works(page: Page): Promise<void>
  }
  works(page: Page): Promise<void>
}

async function landingWorks(page: Page): Promise<void> {
  await expect(page.getByRole('navigation', { name: 'Bắt đầu' }).getByRole('link')).toHaveCount(2)
  // The landing page is in the HTML; before the shell runs, its links load documents.
  await shellIsUp(page)
}
const missionsWork = (page: Page) =>
  expect(
    page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading') }),
  ).toHaveCount(6)
const historyWorks = (page: Page) => expect(page.getByRole('table').first()).toBeVisible()

const press = (name: string) => (page: Page) => page.getByRole('link', { name }).click()

export const SUBJECTS: readonly Subject[] = [
  {
    remote: 'mf-auth',
    expose: './LoginPage',
    path: '/login',
    layout: true,
    from: {
      path: '/',
      go: press('Đăng nhập nhận vé'),
      works: landingWorks,
    },
    async works(page) {
      const account = page.getByLabel('Tài khoản', { exact: true })
      await account.fill('demo01')
      await takenOver(page)
      await expect(account).toHaveValue('demo01')
    },
  },
  {
    remote: 'mf-missions',
    expose: './HomePage',
    path: '/home',
    layout: true,
    from: {
      path: '/histories',
      go: press('Quay về'),
      works: historyWorks,
    },
    works: missionsWork,
  },
  {
    remote: 'mf-history',
    expose: './HistoryPage',
    path: '/histories',
    layout: true,
    from: {
      path: '/home',
      go: press('Lịch sử'),
      works: missionsWork,
    },
    works: historyWorks,
  },
  {
    remote: 'mf-megalive',
    expose: './MegalivePage',
    path: '/megalive',
    layout: false,
    from: {
      path: '/',
      go: press('Đăng ký quay số'),
      works: landingWorks,
    },
    works: (page) => expect(page.getByRole('link', { name: 'Quay về' })).toBeVisible(),
  },
]

export function subjectOf(remote: string): Subject {
  const found = SUBJECTS.find((subject) => subject.remote === remote)
  if (!found) throw new Error(`No remote is named ${remote}`)
  return found
}

/** Around the broken part the layout shows, and hung requests have not used up the connections. */
export async function expectTheRestLives(page: Page, { layout }: Subject): Promise<void> {
  if (layout) await expect(page.getByRole('banner').getByRole('img')).toBeVisible()
  const answered = page.evaluate(async () => (await fetch('/api/client/info')).status)
  expect(await answered, 'status of a call without a token, while the part is broken').toBe(401)
}
