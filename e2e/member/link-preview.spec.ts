import { expect, test } from '../src/test.ts'

/** What crawlers of search engines and social networks find: they run no script. */

const MAX_CARD_BYTES = 120_000

/** The title, and contents of meta elements by name or property. */
async function tagsOf(url: string) {
  const html = await (await fetch(url)).text()
  const metas = html.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)">/g)
  return {
    title: /<title>(.*?)<\/title>/.exec(html)?.[1] ?? '',
    meta: Object.fromEntries([...metas].map(([, name = '', content = '']) => [name, content])),
  }
}

test('every public page says what it is, with a picture', async ({ stack }) => {
  const titles = new Set<string>()
  for (const path of ['/', '/megalive', '/login', '/check']) {
    const { title, meta } = await tagsOf(stack.url + path)
    titles.add(title)
    expect(title).toMatch(/^.+ · Đại tiệc sinh nhật$/)
    expect(meta).toMatchObject({ 'og:title': title, 'twitter:card': 'summary_large_image' })
    expect(meta.description, path).toMatch(/^.{40,160}$/)
    expect(meta['og:description']).toBe(meta.description)
    expect(meta.robots).toBeUndefined()
    const card = await fetch(new URL(meta['og:image'] ?? '', stack.url))
    expect(card.headers.get('content-type')).toBe('image/jpeg')
    expect((await card.arrayBuffer()).byteLength).toBeLessThan(MAX_CARD_BYTES)
  }
  expect(titles.size, 'a title for each').toBe(4)
  expect(await (await fetch(`${stack.url}/robots.txt`)).text()).toContain('Disallow: /api/')
})
