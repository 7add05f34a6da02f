import { expect, expire, heardOn, open, test, texts } from './examples.ts'

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
  // The blocked frame's `load` may come before the violation event.
  expect((await heardOn(page)).at(-1)).toMatchObject({ name: 'refused', detail: { reason: 'policy' } })
})
