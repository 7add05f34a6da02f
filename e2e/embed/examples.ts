import type { Page } from '@playwright/test'
import type { Examples } from '../src/examples.ts'
import { test as base, expect } from '../src/test.ts'

interface Heard {
  readonly name: string
  readonly detail: Record<string, unknown>
}

/** Tests of the embed on foreign pages. */
export const test = base.extend({
  viewport: { width: 1000, height: 720 },
  page: async ({ page }, use) => {
    await page.addInitScript(() => {
      const heard: { name: string; detail: unknown }[] = []
      Object.assign(window, { heard })
      for (const name of ['ready', 'timeout', 'refused', 'back', 'open']) {
        document.addEventListener(`mega-live-${name}`, (event) => {
          // The five events are CustomEvents.
          heard.push({ name, detail: (event as CustomEvent).detail })
        })
      }
    })
    await use(page)
  },
})

export { expect }

export const texts = {
  loading: 'Đang tải trang đăng ký…',
  unsupported: 'Trình duyệt không hỗ trợ nhúng trang này. Vui lòng mở trang trong tab mới.',
  refused: 'Địa chỉ của trang nhúng không hợp lệ.',
  hint: 'Không thấy nội dung?',
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
    hint: host.getByText(texts.hint),
    back: host.getByRole('link', { name: 'Quay về', exact: true }),
    newTab: host.getByRole('link', { name: 'Mở trong tab mới', exact: true }),
    retry: host.getByRole('button', { name: 'Tải lại', exact: true }),
  }
}

/** Events that the page has heard from its embeds. */
export const heardOn = (page: Page): Promise<Heard[]> =>
  page.evaluate(() => (window as unknown as { heard: Heard[] }).heard)

/** Lets the time-out of an embed end now. */
export const expire = ({ host }: Embed): Promise<void> =>
  host.evaluate((element) => element.setAttribute('timeout', '1'))

/** Opens a page with one embed that has these attributes. */
export async function open(
  page: Page,
  examples: Examples,
  attributes: Record<string, string>,
): Promise<Embed> {
  await page.goto(`${examples.pages}/try?${new URLSearchParams(attributes)}`, { waitUntil: 'commit' })
  const embed = embedOn(page)
  await embed.host.waitFor({ state: 'attached' })
  return embed
}
