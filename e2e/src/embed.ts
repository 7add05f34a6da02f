import type { Page } from '@playwright/test'

export const texts = {
  loading: 'Đang tải trang đăng ký…',
  unsupported: 'Trình duyệt không hiển thị được trang này tại đây. Bấm “Mở trong tab mới”.',
  sample: 'Giữ chỗ cho đêm quay số của bạn',
}

export type Embed = ReturnType<typeof embedOn>

/** The embed as a member sees it. */
export function embedOn(page: Page) {
  const host = page.locator('mega-live')
  return {
    host,
    frame: host.frameLocator('iframe'),
    overlay: host.getByRole('status'),
    message: host.getByRole('alert'),
    object: host.locator('object'),
    hint: host.getByText('Không thấy nội dung?'),
    back: host.getByRole('link', { name: 'Quay về', exact: true }),
    retry: host.getByRole('button', { name: 'Tải lại', exact: true }),
    newTab: host.getByRole('link', { name: 'Mở trong tab mới', exact: true }),
  }
}
