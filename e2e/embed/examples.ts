import type { RequestListener } from 'node:http'
import type { Page } from '@playwright/test'
import { serve } from '../src/server.ts'
import { test as base, expect } from '../src/test.ts'

export { expect }

export const texts = {
  loading: 'Đang tải trang đăng ký…',
  unsupported: 'Trình duyệt không hỗ trợ nhúng trang này. Vui lòng mở trang trong tab mới.',
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
  }
}

/** Lets the time-out of an embed end now. */
export const expire = ({ host }: Embed): Promise<void> =>
  host.evaluate((element) => element.setAttribute('timeout', '1'))

interface Provider {
  /** Its origin. */
  readonly url: string
  /** Opens a page of another origin with one embed, under this content security policy. */
  open(src: string, policy?: string): Promise<Embed>
  /** Ends the picture of `/picture`. */
  release(): void
}

const html = (title: string, body = '') =>
  `<!doctype html><html lang="vi"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>${body}`

/** Tests of the embed on foreign pages, and on servers of the embedded page that fail. */
export const test = base.extend<{ provider: Provider }>({
  viewport: { width: 1000, height: 720 },

  provider: async ({ page, stack }, use) => {
    let release = () => {}
    const released = new Promise<void>((done) => {
      release = done
    })
    const answers: Record<string, RequestListener> = {
      '/xfo': (_, response) => response.setHeader('x-frame-options', 'DENY').end(html('Trang cấm nhúng')),
      '/ancestors': (_, response) =>
        response.setHeader('content-security-policy', "frame-ancestors 'none'").end(html('Trang cấm nhúng')),
      '/500': (_, response) => response.writeHead(500).end(html('Lỗi 500')),
      '/500-empty': (_, response) => response.writeHead(500).end(),
      '/drop': (request) => request.socket.destroy(),
      // Head and text come, one picture does not: the browser does not fire `load`.
      '/picture': (_, response) =>
        response.end(html('Trang thiếu ảnh', '<img src="/gate" alt=""><input id="name">')),
      '/gate': (_, response) => released.then(() => response.end()),
      '/': (request, response) => {
        const { searchParams } = new URL(request.url ?? '', 'http://localhost')
        const policy = searchParams.get('policy')
        if (policy) response.setHeader('content-security-policy', policy)
        const embed = `<mega-live src="${searchParams.get('src')}" back-href="/"></mega-live>`
        response.end(
          html('Trang chiến dịch', `<script src="${stack.url}/embed/mega-live.js"></script>${embed}`),
        )
      },
    }
    const server = await serve((request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      answers[request.url?.split('?')[0] ?? '']?.(request, response)
    })
    await use({
      url: server.url,
      release,
      async open(src, policy = '') {
        const query = new URLSearchParams({ src: new URL(src, server.url).href, policy })
        await page.goto(`http://localhost:${server.port}/?${query}`, { waitUntil: 'commit' })
        const embed = embedOn(page)
        await embed.host.waitFor({ state: 'attached' })
        return embed
      },
    })
    release()
    await server.close()
  },
})
