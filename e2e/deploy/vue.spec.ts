import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { startProcess } from '../src/process.ts'
import { ROOT } from '../src/stack.ts'
import { expect, test } from '../src/test.ts'
import { build, deploy } from '../src/variant.ts'

const EXAMPLE = 'tools/new-remote/examples/mf-vue'

async function expectVue(page: Page, address: string): Promise<void> {
  const answer = await page.goto(address)
  expect(answer?.headers()['content-security-policy']).toMatch(/trusted-types default .*\bvue\b/)
  await expect(page.getByText('Quay để nhận quà').getByText('quà', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Đã quay 0 lần' }).click()
  await expect(page.getByRole('button', { name: 'Đã quay 1 lần' })).toBeVisible()
}

/**
 * Creates a policy that no remote has declared.
 * @returns what the browser says
 */
const createUnknownPolicy = (page: Page) =>
  page.evaluate(() => {
    const { trustedTypes } = window as unknown as {
      trustedTypes: { createPolicy(name: string, rules: object): unknown }
    }
    try {
      return String(trustedTypes.createPolicy('unknown', {}))
    } catch (error) {
      return String(error)
    }
  })

test('a remote with Vue inside declares its policy, is published and shows', {
  tag: '@nightly',
}, async ({ page, stack, expectedErrors }) => {
  expectedErrors.push(/Policy.*'?unknown'? .*disallowed|trusted-types/i)

  await test.step('its harness has the policy of the site', async () => {
    const harness = await startProcess(['node', join(ROOT, 'build/remote-dev.js'), '--port', '0'], {
      cwd: join(ROOT, EXAMPLE),
      ready: /(http:\S+)\n\n/,
    })
    await expectVue(page, `${harness.ready[0]}/vue`)
    expect(await createUnknownPolicy(page)).toContain('disallowed')
    // An open page would report that its server has stopped.
    await page.goto('about:blank')
    await harness.stop()
  })

  await test.step('its policy belongs to the site once it is published', async () => {
    const folder = await build(ROOT, EXAMPLE)
    const published = await deploy(stack.siteDir, 'publish', folder)
    expect(published).toMatch(/mf-vue .*shows/)
    expect(published).toContain("the pages' headers have changed")
    try {
      // The server reads the policy again within a second.
      await expect
        .poll(async () => (await fetch(`${stack.url}/vue`)).headers.get('content-security-policy'))
        .toContain("trusted-types default vue 'allow-duplicates'")
      await expectVue(page, `${stack.url}/vue`)
      expect(await createUnknownPolicy(page)).toContain('disallowed')
    } finally {
      await deploy(stack.siteDir, 'disable', 'mf-vue')
      await deploy(stack.siteDir, 'remove', 'mf-vue')
    }
  })
})
