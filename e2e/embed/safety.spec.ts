import { expect, expire, heardOn, open, test, texts } from './examples.ts'

test('the frame learns nothing about the page, and cannot navigate it', { tag: '@nightly' }, async ({
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

test('a page of our own origin runs sandboxed without it, and can still say ready', {
  tag: '@nightly',
}, async ({ page, examples, expectedErrors }) => {
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

const strict = (live: string, site: string, more = '') =>
  `default-src 'none'; script-src ${site} 'nonce-try'; frame-src ${live}; object-src ${live}${more}`

test('under Trusted Types the fallback’s objects need the policy’s name, and the rest does not', {
  tag: '@nightly',
}, async ({ page, examples, expectedErrors }) => {
  expectedErrors.push(/TrustedType/)
  const src = `${examples.live}/hang`
  const openUnder = async (name: string) => {
    const types = `; require-trusted-types-for 'script'; trusted-types ${name}`
    const policy = strict(examples.live, examples.site, types)
    const embed = await open(page, examples, { src, timeout: '3600000', policy })
    await expire(embed)
    await expect(embed.message).toContainText(texts.unsupported)
    return embed
  }
  const allowed = await openUnder('mega-live')
  await expect(allowed.object).toHaveAttribute('data', src)
  await expect(allowed.host.locator('object > embed')).toHaveAttribute('src', src)

  const without = await openUnder('other')
  await expect(without.object).toHaveCount(0)
  await expect(without.newTab).toBeVisible()
})

test('a page whose own policy forbids the frame shows the message at once, and gets an event with the reason', {
  tag: '@nightly',
}, async ({ page, examples, expectedErrors }) => {
  expectedErrors.push(/violates the following Content Security Policy/)
  const embed = await open(page, examples, {
    src: `${examples.live}/ready`,
    policy: strict('https://other.example', examples.site),
  })
  await expect(embed.message).toContainText(texts.unsupported)
  await expect(embed.newTab).toBeVisible()
  // The blocked frame's `load` may come before the violation is told.
  expect((await heardOn(page)).at(-1)).toMatchObject({ name: 'refused', detail: { reason: 'policy' } })
})
