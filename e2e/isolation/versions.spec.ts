import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { shownMark } from '@anniversary/shared/contract/page-names'
import type { Page } from '@playwright/test'
import { takenOver } from '../src/members.ts'
import { filesPattern, previousBuild } from '../src/site.ts'
import { ROOT } from '../src/stack.ts'
import { login } from '../src/subjects.ts'
import { expect, test } from '../src/test.ts'

/** Two releases of one remote on one page, and canaries. */

const account = (page: Page) => page.getByLabel('Tài khoản', { exact: true })

test('two releases of a remote share no class name and no global', () => {
  const textOf = (folder: string) =>
    readdirSync(folder)
      .filter((file) => /\.(js|css)$/.test(file))
      .map((file) => readFileSync(join(folder, file), 'utf8'))
      .join('\n')
  const now = textOf(join(ROOT, 'mf-auth/dist'))
  const before = textOf(previousBuild('mf-auth'))
  /** Class names, and the global to which a build's chunks are pushed. */
  const names = now.match(/(?<=\.)mf-auth-[\w-]+|rspackChunkmf_auth\w*/g) ?? []
  expect(names.join()).toMatch(/mf-auth-.*rspackChunk/)
  expect(names.filter((name) => before.includes(name))).toEqual([])
  // A global of upstream's runtime, which an update of its plugin could bring
  // back.
  expect(now).not.toContain('__FEDERATION__')
})

const version = (page: Page) =>
  page.evaluate(
    (mark) => (performance.getEntriesByName(mark).at(-1) as PerformanceMark | undefined)?.detail,
    shownMark('mf-auth'),
  )

test('a visitor of a canary uses the prerendered page until the canary is there', async ({
  page,
  site,
}) => {
  const canary = await site.previous(login)
  site.compose(login, { canary: { percent: 100, release: canary } })
  site.proxy.hold(filesPattern(canary, login, 'entry'))
  await site.open(page, '/login')
  // The page is hidden until its styles are there, so the click waits.
  await account(page).click()
  await page.keyboard.type('demo01')
  expect(await version(page)).toBeUndefined()
  site.proxy.release()
  await takenOver(page)
  await expect(account(page)).toHaveValue('demo01')
  expect(await version(page)).toBe(canary.version)
})
