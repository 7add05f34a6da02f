import { violations } from '../src/axe.ts'
import { CONTROL_TOKEN } from '../src/stack.ts'
import { expect, test } from '../src/test.ts'
import { deploy } from '../src/variant.ts'
import { overflow, smallTargets } from '../visual/layout.ts'

test('the control page switches a remote off and on by keyboard', async ({
  page,
  stack,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 409/)
  const history = page.getByRole('article', { name: 'mf-history' })

  // A page of any team could use the control page with the rights of whoever is
  // logged in there.
  expect(new URL(stack.controlUrl).origin).not.toBe(new URL(stack.url).origin)
  expect(await (await page.request.get(`${stack.url}/control`)).text()).toContain('id="root"')
  expect((await page.request.get(stack.controlUrl)).status()).toBe(401)
  const authorization = `Basic ${Buffer.from(`on-call:${CONTROL_TOKEN}`).toString('base64')}`
  await page.setExtraHTTPHeaders({ authorization })
  await page.goto(stack.controlUrl)
  await expect(history.getByText('live')).toBeVisible()

  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(viewport)
    expect(await violations(page), `axe, ${viewport.width}`).toEqual([])
    expect(await overflow(page)).toBe(0)
  }
  expect(await smallTargets(page)).toEqual([])

  await history.getByRole('link', { name: 'Switch off' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Switch off mf-history' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('mf-history off')
  expect(await violations(page), 'axe, asking').toEqual([])
  expect(await smallTargets(page)).toEqual([])

  // A second person does the same meanwhile.
  await deploy(stack.siteDir, 'disable', 'mf-history')
  await page.getByRole('button', { name: 'Switch off mf-history' }).press('Enter')
  await expect(page.getByRole('main')).toContainText('mf-history: it has changed since composition')
  await page.getByRole('link', { name: 'Back' }).press('Enter')
  await history.getByRole('link', { name: 'Switch on' }).press('Enter')
  await page.getByRole('button', { name: 'Switch on mf-history' }).press('Enter')
  await expect(history.getByText('live')).toBeVisible()
})
