import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test as base, expect, type FrameLocator, type Locator, type Page } from '@playwright/test'
import { ROOT } from '../src/stack.ts'

/** Origins of `npm run examples`. */
export interface Examples {
  /** The brand's pages. */
  readonly pages: string
  /** The published site. */
  readonly site: string
  /** The provider of the embedded page. */
  readonly live: string
  /** The requests that the provider got, as `path destination referrer`. */
  requests(): Promise<string[]>
}

const READY = /Published site (\S+), embedded page (\S+)\nExamples on (\S+)/
const READY_WITHIN_MS = 120_000

async function run(): Promise<Examples & { stop(): void }> {
  const child = spawn('node', ['--import', 'tsx/esm', 'server/main.ts'], {
    cwd: join(ROOT, 'examples/pages'),
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const [, site = '', live = '', pages = ''] = await new Promise<RegExpExecArray>((ready, failed) => {
    const timer = setTimeout(() => failed(new Error(`Not ready in time:\n${output}`)), READY_WITHIN_MS)
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const found = READY.exec(output)
      if (!found) return
      clearTimeout(timer)
      ready(found)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('exit', (code) => failed(new Error(`Ended with code ${code}:\n${output}`)))
  })
  return {
    pages,
    site,
    live,
    requests: async () => JSON.parse(await (await fetch(`${live}/_requests`)).text()),
    stop: () => child.kill('SIGTERM'),
  }
}

interface Heard {
  readonly name: string
  readonly detail: Record<string, unknown>
}

interface Fixtures {
  /** Console errors and page errors that this test causes on purpose. */
  expectedErrors: RegExp[]
}

/** Tests of the embed on foreign pages. An unexpected error on the page fails the test. */
export const test = base.extend<Fixtures, { examples: Examples }>({
  examples: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a destructured first parameter
    async ({}, use) => {
      const examples = await run()
      await use(examples)
      examples.stop()
    },
    { scope: 'worker', timeout: READY_WITHIN_MS },
  ],
  viewport: { width: 1000, height: 720 },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a destructured first parameter
  expectedErrors: async ({}, use) => use([]),
  page: async ({ page, expectedErrors }, use) => {
    const errors: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' && !/favicon/.test(message.location().url)) errors.push(message.text())
    })
    page.on('pageerror', (error) => errors.push(String(error)))
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
    const unexpected = errors.filter((error) => !expectedErrors.some((pattern) => pattern.test(error)))
    expect(unexpected, 'errors on the page').toEqual([])
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

/** The embed as a member sees it. */
export interface Embed {
  readonly host: Locator
  readonly frame: FrameLocator
  readonly overlay: Locator
  readonly message: Locator
  readonly object: Locator
  readonly hint: Locator
  readonly back: Locator
  readonly newTab: Locator
  readonly retry: Locator
}

export function embedOn(page: Page, at = 0): Embed {
  const host = page.locator('mega-live').nth(at)
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

/** `SCREENS=1` renews the pictures of docs/screens. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!process.env.SCREENS) return
  const folder = join(ROOT, 'docs/screens')
  mkdirSync(folder, { recursive: true })
  await page.screenshot({
    path: join(folder, `embed-${name}.jpg`),
    type: 'jpeg',
    quality: 72,
    animations: 'disabled',
    scale: 'css',
  })
}
