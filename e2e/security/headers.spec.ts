import { servePage } from '../src/server.ts'
import { expect, test } from '../src/test.ts'

const ROUTES = ['/', '/login', '/check', '/home', '/histories', '/megalive']

test('no page of the site shows in a frame of another', async ({ page, stack, expectedErrors }) => {
  expectedErrors.push(/frame|X-Frame-Options|Refused to display/)
  const frames = ROUTES.map((route) => `<iframe src="${stack.url}${route}"></iframe>`).join('')
  const foreign = await servePage(
    `<!doctype html><title>Bẫy</title>${frames}<object data="${stack.url}/login"></object>`,
  )
  try {
    // Waits for all frames.
    await page.goto(foreign.url)
    const shown = await Promise.all(
      page
        .frames()
        .slice(1)
        // A blocked object loses its frame.
        .map((frame) =>
          frame
            .locator('#root')
            .count()
            .catch(() => 0),
        ),
    )
    expect(shown.length).toBeGreaterThanOrEqual(ROUTES.length)
    expect(shown.filter(Boolean)).toEqual([])
  } finally {
    await foreign.close()
  }
})
