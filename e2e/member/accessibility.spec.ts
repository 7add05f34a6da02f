import AxeBuilder from '@axe-core/playwright'
import type { Locator, Page } from '@playwright/test'
import { card, enter, expect, sessionCookies, test } from '../src/member-test.ts'
import { openScreen, type Scene, screens } from '../src/screens.ts'

/** WCAG 2.2 AA, as far as a machine can tell, on every screen and open dialog; and whole visits without a mouse. */

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }
/** The narrowest view of WCAG 1.4.10: 1280 pixels at 400 %. */
const NARROW = { width: 320, height: 640 }
const TARGET_PX = 44

/** What axe finds wrong, one line a finding. */
async function violations(page: Page): Promise<string[]> {
  // No frame of ours holds anything of the page; the embedded one is sandboxed, and a page of its own.
  const { violations: found } = await new AxeBuilder({ page }).setLegacyMode().exclude('iframe').analyze()
  return found.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
  )
}

/** Things to press that are smaller than a finger; a field's label counts as part of it. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate((least) => {
    const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
    const all = (dialog ?? document).querySelectorAll<HTMLElement>('a[href], button, input, textarea, select')
    return [...all].flatMap((element) => {
      if (!element.checkVisibility({ visibilityProperty: true }) || element.closest('[inert]')) return []
      const boxes = [element, ...(element.closest('label') ? [element.closest('label') as Element] : [])]
      // A link in a sentence is as high as its line (WCAG 2.5.8).
      if (element.matches('p a, li a')) return []
      const fits = boxes.some((box) => {
        const { width, height } = box.getBoundingClientRect()
        return width >= least - 0.5 && height >= least - 0.5
      })
      const { width, height } = element.getBoundingClientRect()
      const name = element.getAttribute('aria-label') ?? element.textContent ?? ''
      return fits ? [] : [`${element.localName} "${name.trim()}" ${Math.round(width)}x${Math.round(height)}`]
    })
  }, TARGET_PX)

/** Pixels by which the page, or an open dialog, is wider than the window. */
const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const root = document.documentElement
    const dialogs = [...document.querySelectorAll('dialog[open] *')]
    const widest = Math.max(0, ...dialogs.map((part) => part.getBoundingClientRect().right - innerWidth))
    return Math.max(root.scrollWidth - root.clientWidth, widest)
  })

test.describe('every screen and open dialog', () => {
  test.use({ reducedMotion: 'reduce' })

  for (const state of screens) {
    test(`${state.name}: axe finds nothing on phone and desktop, it reflows, and fingers hit`, async ({
      page,
      faulty,
      expectedErrors,
    }) => {
      if (state.errors) expectedErrors.push(state.errors)
      await page.setViewportSize(PHONE)
      await openScreen(state.name, { page, faulty })
      await page.clock.resume()
      expect(await violations(page), 'axe, phone').toEqual([])
      expect(await smallTargets(page), 'targets below 44 px').toEqual([])
      await page.setViewportSize(NARROW)
      expect(await overflow(page), 'scrolls sideways at 320 px').toBe(0)
      await page.setViewportSize(DESKTOP)
      expect(await violations(page), 'axe, desktop').toEqual([])

      await expect(page.getByRole('main')).toHaveCount(1)
      expect(await page.locator('h1').count(), 'one heading of level 1').toBe(1)
      await expect(page.locator('html')).toHaveAttribute('lang', 'vi')
      faulty.release()
    })
  }
})

test.describe('names and roles, as a screen reader reads them', () => {
  const opened = async (name: string, scene: Scene) => {
    await openScreen(name, scene)
    return scene.page.locator('body')
  }

  test('landing', async ({ page, faulty }) => {
    await expect(await opened('landing', { page, faulty })).toMatchAriaSnapshot(`
      - main:
        - heading "Đại tiệc sinh nhật – Vé số may mắn" [level=1]
        - navigation "Bắt đầu":
          - link "Đăng ký quay số"
          - link "Đăng nhập nhận vé"
    `)
    await expect(page).toHaveTitle(/Trang chủ/)
  })

  // spec: login-names
  test('login', async ({ page, faulty }) => {
    await expect(await opened('login', { page, faulty })).toMatchAriaSnapshot(`
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
  })

  // spec: check-names
  test('check', async ({ page, faulty }) => {
    await expect(await opened('check', { page, faulty })).toMatchAriaSnapshot(`
      - main:
        - heading "Kiểm tra thông tin" [level=1]
        - group "Kiểm tra theo":
          - radio "Tên đăng nhập" [checked]
          - radio "Mã dự thưởng"
        - textbox "Nội dung kiểm tra"
        - button "KIỂM TRA NGAY"
        - button "QUAY VỀ"
    `)
  })

  // spec: home-names
  test('home', async ({ page, faulty }) => {
    await expect(await opened('home', { page, faulty })).toMatchAriaSnapshot(`
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
    // Five buttons say the same; each is told apart by its mission.
    await expect(card(page, '10 lần').getByRole('button')).toHaveAccessibleDescription('Nạp tiền 10 lần')
  })

  // spec: histories-names
  test('histories', async ({ page, faulty }) => {
    await expect(await opened('histories', { page, faulty })).toMatchAriaSnapshot(`
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
  })

  test('megalive', async ({ page, faulty }) => {
    await opened('megalive', { page, faulty })
    await expect(page.getByRole('link', { name: 'Quay về' })).toHaveAttribute('href', /\/$/)
    await expect(page.getByRole('link', { name: 'Mở trong tab mới' })).toBeVisible()
    await expect(page.locator('iframe')).toHaveAttribute('title', 'Trang đăng ký quay số')
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  })

  // spec: share-dialog-names
  test('share dialog', async ({ page, faulty }) => {
    await opened('home-share', { page, faulty })
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
  })

  test('toasts are announced inside the open dialog, where screen readers still listen', async ({
    page,
    faulty,
  }) => {
    await opened('home-share-errors', { page, faulty })
    const region = page.getByRole('dialog').getByRole('region', { name: 'Thông báo' })
    await expect(region.getByRole('listitem')).toHaveText(/Có Link chia sẻ chưa hợp lệ/)
    await expect(region.getByRole('img', { name: 'Lỗi' })).toBeVisible()
  })
})

/**
 * Presses Tab until the target has the focus. On the way, every stop shows where it is, and none is hidden below
 * something else (WCAG 2.4.7, 2.4.11).
 */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let stops = 0; stops < 60; stops += 1) {
    await page.keyboard.press('Tab')
    const problem = await page.evaluate(() => {
      const focused = document.activeElement
      // After the last stop a browser goes to its own bars.
      if (!focused || focused === document.body) return null
      const style = getComputedStyle(focused)
      // On the last stop of a date field the browser rings its own calendar button, and not the field.
      const own = focused.matches('input[type=date]:not(:focus-visible)')
      const shown = own || style.outlineStyle !== 'none' || style.boxShadow !== 'none'
      const { x, y, width, height } = focused.getBoundingClientRect()
      const top = document.elementFromPoint(x + width / 2, y + height / 2)
      const clear = top && (focused.contains(top) || top.contains(focused))
      const name = focused.getAttribute('aria-label') ?? focused.textContent
      return shown && clear
        ? null
        : `${focused.localName} "${name}" ${shown ? 'is covered' : 'shows no focus'}`
    })
    expect(problem).toBeNull()
    if (await target.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`Tab never reached ${target}`)
}

const focusIsSomewhere = (page: Page) =>
  expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true)

test.describe('by keyboard alone', () => {
  // spec: keyboard-visit
  test('a whole visit: landing, login, claim, share, streak, history, rules, logout', async ({
    page,
    context,
    freshStack,
  }) => {
    test.setTimeout(120_000)
    const { keyboard } = page
    await page.goto(freshStack.url)
    await tabTo(page, page.getByRole('link', { name: 'Đăng nhập nhận vé' }))
    await keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()

    await tabTo(page, page.getByLabel('Tài khoản', { exact: true }))
    await keyboard.type('demo01')
    await keyboard.press('Tab')
    await keyboard.type('1294')
    await keyboard.press('ArrowLeft')
    await keyboard.type('3')
    await expect(page.getByLabel('Số thứ 4')).toBeFocused()
    await tabTo(page, page.getByRole('button', { name: 'Đăng nhập', exact: true }))
    await keyboard.press('Space')
    await expect(page).toHaveURL(`${freshStack.url}/home`)
    await expect(card(page, '300')).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()

    const deposit = card(page, '300').getByRole('button')
    await tabTo(page, deposit)
    await keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('heading')).toBeFocused()
    await tabTo(page, dialog.getByRole('button', { name: 'Xác nhận' }))
    await keyboard.press('Enter')
    await expect(deposit).toBeFocused()
    await expect(deposit).toHaveAccessibleName(/Xem mã/)

    await tabTo(page, card(page, /liên tiếp/).getByRole('button'))
    await keyboard.press('Enter')
    await expect(page.getByLabel('Ngày bắt đầu')).toBeFocused()
    // Day and month are the same, since browsers differ in which comes first.
    await keyboard.type('08082025')
    await tabTo(page, page.getByLabel('Ngày kết thúc'))
    await keyboard.type('09092025')
    await tabTo(page, dialog.getByRole('button', { name: 'Kiểm tra' }))
    await keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'Chúc mừng bạn đã nhận vé!' })).toBeVisible()
    await focusIsSomewhere(page)
    await keyboard.press('Escape')
    await expect(card(page, /liên tiếp/).getByRole('button')).toBeFocused()

    await tabTo(page, card(page, /Chia sẻ/).getByRole('button'))
    await keyboard.press('Enter')
    for (const number of [1, 2, 3, 4]) {
      await expect(page.getByLabel(`Liên kết chia sẻ ${number}`)).toBeFocused()
      await keyboard.type(`https://www.facebook.com/kyniem/posts/${number}`)
      await keyboard.press('Tab')
    }
    await expect(dialog.getByRole('button', { name: 'Gửi liên kết' })).toBeFocused()
    await keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'Chúc mừng bạn đã nhận vé!' })).toBeVisible()
    await keyboard.press('Escape')
    await expect(card(page, /Chia sẻ/).getByRole('button')).toBeFocused()

    await tabTo(page, page.getByRole('button', { name: 'Lịch sử' }))
    await keyboard.press('Enter')
    await expect(page).toHaveURL(`${freshStack.url}/histories`)
    const table = page.getByRole('region', { name: 'Vé số may mắn' })
    await expect(table.getByRole('row')).toHaveCount(4)
    await tabTo(page, table)
    await tabTo(page, page.getByRole('button', { name: 'Quay về' }))
    await keyboard.press('Enter')
    await expect(card(page, '300')).toBeVisible()

    await tabTo(page, page.getByRole('button', { name: 'Thể lệ' }))
    await keyboard.press('Enter')
    const rules = page.getByRole('dialog', { name: 'Thể lệ chương trình' })
    await expect(rules).toBeVisible()
    await tabTo(page, rules.getByRole('region', { name: 'Thể lệ chương trình' }))
    await keyboard.press('End')
    await expect(rules.getByText('Khách hàng trúng thưởng', { exact: false })).toBeInViewport()
    await keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Thể lệ' })).toBeFocused()
    await tabTo(page, page.getByRole('button', { name: 'Quay về' }))
    await keyboard.press('Enter')
    await expect(page).toHaveURL(`${freshStack.url}/login`)
    expect(await sessionCookies(context)).toEqual([])
    await focusIsSomewhere(page)
  })

  test('an open dialog keeps the focus inside, in both directions', async ({ page, faulty }) => {
    await openScreen('home-share', { page, faulty })
    for (const key of ['Tab', 'Shift+Tab']) {
      for (let press = 0; press < 10; press += 1) {
        await page.keyboard.press(key)
        const outside = await page.evaluate(() => {
          const focused = document.activeElement
          return focused !== document.body && !focused?.closest('dialog')
        })
        expect(outside).toBe(false)
      }
    }
  })

  test('the skip link leads past the header', async ({ page, stack }) => {
    await page.goto(`${stack.url}/login`)
    await expect(page.getByRole('heading', { name: 'Đăng nhập' })).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Đến nội dung chính' })).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expect(page.getByLabel('Tài khoản', { exact: true })).toBeFocused()
  })

  test('a page that failed to load gives the keyboard back after its retry', async ({
    page,
    faulty,
    expectedErrors,
  }) => {
    expectedErrors.push(/^Failed to load resource/)
    await enter(page.context(), faulty.url, 'demo01')
    faulty.break('GET /api/client/info', { do: 'cut' })
    await page.goto(`${faulty.url}/home`)
    const retry = page.getByRole('main').getByRole('button', { name: 'Thử lại' })
    await retry.focus()
    faulty.mend()
    await page.keyboard.press('Enter')
    await expect(card(page, '300')).toBeVisible()
    await page.keyboard.press('Tab')
    await focusIsSomewhere(page)
  })
})

test.describe('less motion, where it is asked for', () => {
  /** Animations that go on; the sign that work is under way may turn, slowly. */
  const moving = (page: Page, slowest = Number.POSITIVE_INFINITY) =>
    page.evaluate((limit) => {
      const embed = document.querySelector('mega-live')?.shadowRoot
      return [...document.getAnimations(), ...(embed?.getAnimations() ?? [])].filter(
        ({ effect, playState }) => {
          const { duration, iterations } = effect?.getComputedTiming() ?? {}
          if (playState !== 'running') return false
          return iterations === Number.POSITIVE_INFINITY ? Number(duration) < limit : Number(duration) > 100
        },
      ).length
    }, slowest)

  for (const name of ['home', 'home-claiming', 'home-codes', 'home-loading', 'megalive-loading'] as const) {
    test(`${name}: something moves, and all but a slow sign of work stands still for who asks`, async ({
      page,
      faulty,
    }) => {
      await page.emulateMedia({ reducedMotion: 'no-preference' })
      await openScreen(name, { page, faulty })
      expect(await moving(page)).toBeGreaterThan(0)
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await expect.poll(() => moving(page, 2000)).toBe(0)
      faulty.release()
    })
  }
})
