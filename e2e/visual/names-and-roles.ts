import type { Page } from '@playwright/test'
import { card, expect } from '../src/member-test.ts'

/** What a screen reader reads, by the screen's name in screens.ts. */
export const NAMES_AND_ROLES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  async landing(page) {
    await expect(page.locator('body')).toMatchAriaSnapshot(`
      - main:
        - heading "Đại tiệc sinh nhật – Vé số may mắn" [level=1]
        - navigation "Bắt đầu":
          - link "Đăng ký quay số"
          - link "Đăng nhập nhận vé"
    `)
    await expect(page).toHaveTitle(/Trang chủ/)
  },

  async login(page) {
    await expect(page.locator('body')).toMatchAriaSnapshot(`
      - link "Đến nội dung chính"
      - banner:
        - img "Đại tiệc sinh nhật – Vé số may mắn"
      - main:
        - heading "Đăng nhập" [level=1]
        - textbox "Tài khoản"
        - group "4 số cuối tài khoản ngân hàng":
          - textbox "Số thứ 1"
          - textbox "Số thứ 2"
          - textbox "Số thứ 3"
          - textbox "Số thứ 4"
        - button "Đăng nhập"
        - button "Đăng ký tham gia"
        - button "Thể lệ chương trình"
        - button "Quay về"
    `)
    await expect(page).toHaveTitle(/Đăng nhập/)
  },

  async check(page) {
    await expect(page.locator('body')).toMatchAriaSnapshot(`
      - main:
        - heading "Kiểm tra thông tin" [level=1]
        - group "Kiểm tra theo":
          - radio "Tên đăng nhập" [checked]
          - radio "Mã dự thưởng"
        - textbox "Nội dung kiểm tra"
        - button "KIỂM TRA NGAY"
        - button "QUAY VỀ"
    `)
  },

  async home(page) {
    await expect(page.locator('body')).toMatchAriaSnapshot(`
      - main:
        - button "Quay về"
        - button "Thể lệ"
        - button "Lịch sử"
        - heading "Nhiệm vụ nhận vé" [level=1]
        - timer "Giai đoạn 1 kết thúc sau"
        - status:
          - paragraph: 3 vé đang chờ nhận
        - list "Danh sách nhiệm vụ":
          - listitem:
            - heading "Tổng nạp 300 điểm" [level=2]
            - button "Đã nhận · Xem mã"
          - listitem:
            - heading "Tổng cược 5.000 điểm" [level=2]
            - button "Nhận vé"
          - listitem:
            - heading "Nạp tiền 5 ngày liên tiếp" [level=2]
            - button "Kiểm tra"
          - listitem:
            - heading "Tổng nạp 15.000 điểm" [level=2]
            - button "Chưa Đạt" [disabled]
          - listitem:
            - heading "Nạp tiền 10 lần" [level=2]
            - button "Nhận vé"
          - listitem:
            - heading "Chia sẻ bài viết lên Facebook" [level=2]
            - button "Nhận vé"
    `)
    // Buttons with the same name differ by their mission.
    await expect(card(page, '10 lần').getByRole('button')).toHaveAccessibleDescription('Nạp tiền 10 lần')
  },

  async histories(page) {
    await expect(page.locator('body')).toMatchAriaSnapshot(`
      - main:
        - heading "Lịch sử nhận vé" [level=1]
        - heading "Vé số may mắn" [level=2]
        - region "Vé số may mắn":
          - 'table "Bảng gồm các cột: Thời gian, Mã dự thưởng, Nhiệm vụ"':
            - rowgroup:
              - row "Thời gian Mã dự thưởng Nhiệm vụ"
        - heading "Lịch sử đổi gift code" [level=2]
        - region "Lịch sử đổi gift code":
          - 'table "Bảng gồm các cột: Gift code, Thời gian"':
            - rowgroup:
              - row "Gift code Thời gian"
        - button "Quay về"
    `)
  },

  async megalive(page) {
    await expect(page.getByRole('link', { name: 'Quay về' })).toHaveAttribute('href', /\/$/)
    await expect(page.getByRole('link', { name: 'Mở trong tab mới' })).toBeVisible()
    await expect(page.locator('iframe')).toHaveAttribute('title', 'Trang đăng ký quay số')
  },

  async 'home-share'(page) {
    await expect(page.getByRole('dialog')).toMatchAriaSnapshot(`
      - dialog "Chia sẻ sự kiện":
        - heading "Chia sẻ sự kiện" [level=2]
        - button "Sao chép liên kết"
        - textbox "Liên kết chia sẻ 1"
        - textbox "Liên kết chia sẻ 2"
        - textbox "Liên kết chia sẻ 3"
        - textbox "Liên kết chia sẻ 4"
        - button "Gửi liên kết"
        - button "Đóng"
    `)
  },

  /** Toasts show inside the open dialog, where screen readers announce them. */
  async 'home-share-errors'(page) {
    const region = page.getByRole('dialog').getByRole('region', { name: 'Thông báo' })
    await expect(region.getByRole('listitem')).toHaveText(/Có Link chia sẻ chưa hợp lệ/)
    await expect(region.getByRole('img', { name: 'Lỗi' })).toBeVisible()
  },
}
