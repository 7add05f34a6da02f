import { type Embed, expect, expire, test, texts } from './examples.ts'

/** What a member sees when the provider's server or the page around the embed is against it. */

test('a server that refuses framing or fails: the browser fires load, so the embed asks and offers the way out', async ({
  provider,
  expectedErrors,
}) => {
  expectedErrors.push(/Refused to (display|frame)|Framing .* violates|status of 500|ERR_/)
  for (const src of ['/xfo', '/ancestors', '/500', '/500-empty', '/drop', 'https://khong-ton-tai.invalid/']) {
    const embed = await provider.open(src)
    await expect(embed.overlay, src).toBeHidden()
    await expect(embed.hint, src).toBeVisible()
    await expect(embed.newTab, src).toBeVisible()
    await expect(embed.frame.getByText('Trang cấm nhúng'), src).toHaveCount(0)
  }
})

test('a picture that does not end: the member uses the page in the object, and keeps it when the frame loads', async ({
  page,
  provider,
}) => {
  const embed = await provider.open('/picture')
  await expect(embed.overlay).toBeVisible()
  await expire(embed)
  await expect(embed.message).toContainText(texts.unsupported)
  // The covered frame and the object's, which is in front.
  const framed = () => page.frames().filter((frame) => frame.url() === `${provider.url}/picture`)
  await expect.poll(() => framed().length).toBe(2)
  const input = framed().at(-1)?.locator('#name') ?? page.locator('none')
  await input.click()
  await page.keyboard.type('Ánh')
  await expect(input).toHaveValue('Ánh')
  provider.release()
  await expect(embed.message).toBeHidden()
  await page.keyboard.type(' Nguyễn')
  await expect(input).toHaveValue('Ánh Nguyễn')
  await expect(embed.object).toBeVisible()
})

test('a page whose own policy forbids the frame shows the message at once', async ({
  stack,
  provider,
  expectedErrors,
}) => {
  expectedErrors.push(/violates the following Content Security Policy/)
  const embed = await provider.open(
    '/picture',
    `default-src 'none'; script-src ${stack.url}; frame-src https://other.example`,
  )
  await expect(embed.message).toContainText(texts.unsupported)
  await expect(embed.newTab).toBeVisible()
})

const LOUD = `
  * { margin: 9px !important; float: left; font: 11px/1 cursive !important; text-transform: uppercase; letter-spacing: 2px;
    color: #00f !important; cursor: wait; direction: rtl; text-align: right; word-break: break-all; visibility: visible }
  a, div, span, iframe { position: relative !important; max-width: 300px !important; display: inline !important;
    opacity: .6; transform: rotate(1deg); text-decoration: line-through !important }
  iframe, button, [hidden] { display: block !important }`

/** All that the embed's parts compute, whatever the page around them does. */
const look = ({ back, newTab, host }: Embed) =>
  Promise.all(
    [back, newTab, host.locator('iframe')].map((part) =>
      part.evaluate((element) =>
        [...getComputedStyle(element)].map(
          (name) => `${name}: ${getComputedStyle(element).getPropertyValue(name)}`,
        ),
      ),
    ),
  )

test('a page’s loud styles leave the inside of the embed alone', async ({ page, stack, provider }) => {
  const embed = await provider.open(`${stack.url}/megalive-sample.html`)
  await expect(embed.frame.getByRole('heading', { name: texts.sample })).toBeVisible()
  await expect(embed.hint).toBeHidden()
  // Where the embed stands is the page's to say.
  await page.addStyleTag({
    content: 'mega-live { width: 900px; margin: 0 !important; float: none; clear: both }',
  })
  const before = await look(embed)
  await page.addStyleTag({ content: LOUD })
  await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('font-size', '11px')
  expect(await look(embed)).toEqual(before)
})
