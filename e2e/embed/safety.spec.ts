import { expect, heardOn, open, test, texts } from './examples.ts'

test('the frame learns nothing about the page, and cannot navigate it', async ({
  page,
  examples,
  expectedErrors,
}) => {
  expectedErrors.push(/Unsafe attempt to initiate navigation/)
  const embed = await open(page, examples, { src: `${examples.live}/spy` })
  const spy = await embed.frame.locator('#spy').textContent()
  expect(spy?.split('\n')).toEqual([
    'referrer=',
    'name=',
    'parent!SecurityError',
    expect.stringMatching(/^cookie=/),
    `origin=${examples.live}`,
    expect.stringMatching(/^frame(=|!)(null|TypeError|SecurityError)/),
    'camera=false',
    'fullscreen=false',
    'top!SecurityError',
  ])
  expect(page.url()).toContain('/try?')
  const asked = (await examples.requests()).find((line) => line.startsWith('/spy '))
  expect(asked, 'no referrer in the request').toBe('/spy iframe -')
})

test('a page of our own origin runs sandboxed without it, and can still say ready', async ({
  page,
  examples,
  expectedErrors,
}) => {
  expectedErrors.push(/Unsafe attempt to initiate navigation/)
  await page.goto(
    `${examples.live}/own?${new URLSearchParams({ script: `${examples.site}/embed/mega-live.js` })}`,
  )
  const spy = await page.locator('mega-live').first().frameLocator('iframe').locator('#spy').textContent()
  expect(spy).toContain('origin=null')
  expect(spy).toContain('parent!SecurityError')
  expect(spy).toContain('cookie!SecurityError')
  expect(spy).toContain('frame!')
  await expect(page.locator('mega-live').nth(1).getByRole('status')).toBeHidden()
})

test('a javascript: address is not embedded', async ({ page, examples }) => {
  const embed = await open(page, examples, { src: 'javascript:parent.stolen=1' })
  await expect(embed.message).toHaveText(texts.refused)
  await expect(embed.host.locator('iframe, object, embed')).toHaveCount(0)
  await expect(embed.newTab).toHaveCount(0)
  expect((await heardOn(page)).map(({ name, detail }) => [name, detail.reason])).toEqual([['refused', 'src']])
  expect(await page.evaluate(() => 'stolen' in window)).toBe(false)
})

const strict = (live: string, site: string, more = '') =>
  `default-src 'none'; script-src ${site} 'nonce-try'; frame-src ${live}; object-src ${live}${more}`

test('under Trusted Types the fallback’s objects go through the policy that the page allows', async ({
  page,
  examples,
}) => {
  const embed = await open(page, examples, {
    src: `${examples.live}/hang`,
    timeout: '800',
    policy: strict(
      examples.live,
      examples.site,
      "; require-trusted-types-for 'script'; trusted-types mega-live",
    ),
  })
  await expect(embed.message).toContainText(texts.unsupported)
  await expect(embed.object).toHaveAttribute('data', `${examples.live}/hang`)
  await expect(embed.host.locator('object > embed')).toHaveAttribute('src', `${examples.live}/hang`)
})

test('under Trusted Types without that policy the objects are left out, and the rest remains', async ({
  page,
  examples,
  expectedErrors,
}) => {
  expectedErrors.push(/TrustedType/)
  const embed = await open(page, examples, {
    src: `${examples.live}/hang`,
    timeout: '800',
    policy: strict(examples.live, examples.site, "; require-trusted-types-for 'script'; trusted-types other"),
  })
  await expect(embed.message).toContainText(texts.unsupported)
  await expect(embed.object).toHaveCount(0)
  await expect(embed.newTab).toBeVisible()
})

test('a page whose own policy forbids the frame shows the message at once, and gets an event with the reason', async ({
  page,
  examples,
  expectedErrors,
}) => {
  expectedErrors.push(/violates the following Content Security Policy/)
  const embed = await open(page, examples, {
    src: `${examples.live}/ready`,
    policy: strict('https://other.example', examples.site),
  })
  await expect(embed.message).toContainText(texts.unsupported)
  await expect(embed.newTab).toBeVisible()
  expect((await heardOn(page)).map(({ name, detail }) => [name, detail.reason])).toEqual([
    ['refused', 'policy'],
  ])
})

test('a policy that only reports changes nothing', async ({ page, examples, expectedErrors }) => {
  expectedErrors.push(/Content Security Policy|report-only/i)
  const embed = await open(page, examples, {
    src: `${examples.live}/ready`,
    'policy-report-only': "frame-src 'none'",
  })
  await expect(embed.frame.getByRole('heading', { name: 'Trang biết nói' })).toBeVisible()
  await expect(embed.message).toBeHidden()
})
