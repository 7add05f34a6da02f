import type { Page } from '@playwright/test'
import { expect } from '../src/test.ts'

/** A remote as the matrix sees it: where its page is, how a member gets there, and how one sees that it works. */
export interface Subject {
  readonly remote: string
  readonly expose: string
  readonly path: string
  readonly member: boolean
  /** Whose page shows it within the shared layout. */
  readonly layout: boolean
  /** Another page, and the way from it by a person's own means. */
  readonly from: { readonly path: string; go(page: Page): Promise<void>; works(page: Page): Promise<void> }
  /** The page is there and answers. */
  works(page: Page): Promise<void>
}

const landingWorks = (page: Page) =>
  expect(page.getByRole('navigation', { name: 'Bắt đầu' }).getByRole('link')).toHaveCount(2)
const missionsWork = (page: Page) =>
  expect(
    page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading') }),
  ).toHaveCount(6)
const historyWorks = (page: Page) => expect(page.getByRole('table').first()).toBeVisible()

export const SUBJECTS: readonly Subject[] = [
  {
    remote: 'mf-auth',
    expose: './LoginPage',
    path: '/login',
    member: false,
    layout: true,
    from: {
      path: '/',
      go: (page) => page.getByRole('link', { name: 'Đăng nhập nhận vé' }).click(),
      works: landingWorks,
    },
    async works(page) {
      const account = page.getByLabel('Tài khoản', { exact: true })
      await account.fill('demo01')
      await expect(account).toHaveValue('demo01')
    },
  },
  {
    remote: 'mf-missions',
    expose: './HomePage',
    path: '/home',
    member: true,
    layout: true,
    from: {
      path: '/histories',
      go: (page) => page.getByRole('button', { name: 'Quay về' }).click(),
      works: historyWorks,
    },
    works: missionsWork,
  },
  {
    remote: 'mf-history',
    expose: './HistoryPage',
    path: '/histories',
    member: true,
    layout: true,
    from: {
      path: '/home',
      go: (page) => page.getByRole('button', { name: 'Lịch sử' }).click(),
      works: missionsWork,
    },
    works: historyWorks,
  },
  {
    remote: 'mf-megalive',
    expose: './MegalivePage',
    path: '/megalive',
    member: false,
    layout: false,
    from: {
      path: '/',
      go: (page) => page.getByRole('link', { name: 'Đăng ký quay số' }).click(),
      works: landingWorks,
    },
    works: (page) => expect(page.getByRole('link', { name: 'Quay về' })).toBeVisible(),
  },
]
