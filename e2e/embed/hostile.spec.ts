import { expect, expire, heardOn, open, test, texts } from './examples.ts'

/**
 * What a member sees when the provider's server refuses, fails, hangs or comes late. The element's own test holds the
 * time-out's length; here it is an hour, and `expire` ends it.
 */
const timeout = '3600000'

test('a server that refuses framing or fails: the browser fires load, so the embed asks and offers the way out', async ({
  page,
  examples,
  expectedErrors,
}) => {
  expectedErrors.push(/Refused to (display|frame)|Framing .* violates|status of 500|ERR_/)
  for (const path of [
    '/xfo',
    '/ancestors',
    '/500',
    '/500-empty',
    '/drop',
    'https://khong-ton-tai.invalid/',
  ]) {
    const embed = await open(page, examples, { src: new URL(path, examples.live).href })
    await expect(embed.overlay, path).toBeHidden()
    await expect(embed.hint, path).toBeVisible()
    await expect(embed.newTab, path).toBeVisible()
    await expect(embed.host.getByText('Trang cấm nhúng')).toHaveCount(0)
    expect((await heardOn(page))[0]).toMatchObject({ name: 'ready', detail: { by: 'load', late: false } })
  }
})

test('a picture that does not end: the member uses the page in the object, and keeps it when the frame loads', {
  tag: '@nightly',
}, async ({ page, examples }) => {
  const src = `${examples.live}/image-gate`
  const embed = await open(page, examples, { src, timeout })
  await expire(embed)
  await expect(embed.message).toContainText(texts.unsupported)
  // The covered frame and the object's, which is in front.
  await expect.poll(() => page.frames().filter((frame) => frame.url() === src).length).toBe(2)
  const input = page.frames().at(-1)?.locator('#name') ?? page.locator('none')
  await input.click()
  await page.keyboard.type('Ánh')
  await expect(input).toHaveValue('Ánh')
  await fetch(`${examples.live}/_open`)
  await expect(embed.message).toBeHidden()
  await page.keyboard.type(' Nguyễn')
  await expect(input).toHaveValue('Ánh Nguyễn')
  await expect(embed.object).toBeVisible()
})
