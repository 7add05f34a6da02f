import type { Page } from '@playwright/test'
import { enter, expect, test } from '../src/member-test.ts'
import { build, checkOut, deploy } from '../src/variant.ts'

/**
 * Versions that were never built together: shell N with remotes N-1, remotes N with shell N-1. Each pair works, or
 * `deploy` rejects it with the reason. N adds a field to the host port (contract 1.1), see docs/guides/contract.md.
 */

const NEXT = {
  'shared/src/contract/host.ts': [
    ["HOST_CONTRACT = '1.0'", "HOST_CONTRACT = '1.1'"],
    [
      '  readonly config: PublicConfig',
      '  readonly config: PublicConfig\n  /** Since 1.1. */\n  readonly greeting: string',
    ],
  ],
  'shell/src/host/create-host.ts': [
    ['    contract: HOST_CONTRACT,', "    contract: HOST_CONTRACT,\n    greeting: 'Xin chào từ 1.1',"],
  ],
  'mf-history/src/HistoryPage.tsx': [['{texts.title}', '{texts.title}: {host.greeting}']],
} as const

/** Pages of three remotes work together with the shell. */
async function visitAll(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/home`)
  await expect(page.getByRole('listitem').first()).toBeVisible()
  await page.getByRole('button', { name: /Lịch sử/ }).click()
  await expect(page.getByRole('table').first()).toBeVisible()
  await page.goto(`${url}/login`)
  await expect(page.getByRole('button', { name: 'Đăng nhập', exact: true })).toBeVisible()
}

test('the next shell runs today’s remotes, and today’s shell refuses the next remote', async ({
  page,
  context,
  stack,
}) => {
  test.setTimeout(240_000)
  const { siteDir, url } = stack
  await enter(context, url, 'demo03')
  const next = await checkOut(NEXT)
  const [shell, history] = [await build(next, 'shell'), await build(next, 'mf-history')]

  // Remote N on shell N-1: rejected by name, with what to do; the site does not change.
  const early = await deploy(siteDir, 'publish', history, '--no-smoke')
  expect(early.code).toBe(1)
  expect(early.output).toMatch(/mf-history \(contract\)/)
  expect(early.output).toMatch(/built for host contract 1\.1, the shell offers 1\.0/)
  await visitAll(page, url)

  // Shell N with remotes N-1: works.
  const onward = await deploy(siteDir, 'publish', shell, '--no-smoke')
  expect(onward.code, onward.output).toBe(0)
  await visitAll(page, url)

  // Both N: the new field arrives.
  const joined = await deploy(siteDir, 'publish', history, '--no-smoke')
  expect(joined.code, joined.output).toBe(0)
  await visitAll(page, url)
  await page.goto(`${url}/histories`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Lịch sử nhận vé: Xin chào từ 1.1')

  // Shell N-1 under remote N: rejected; the remote has to go back first.
  const tooFar = await deploy(siteDir, 'rollback', 'shell')
  expect(tooFar.code).toBe(1)
  expect(tooFar.output).toMatch(/mf-history .*is built for host contract 1\.1, the shell offers 1\.0/)
  expect((await deploy(siteDir, 'rollback', 'mf-history')).code).toBe(0)
  expect((await deploy(siteDir, 'rollback', 'shell')).code).toBe(0)
  await visitAll(page, url)
})
