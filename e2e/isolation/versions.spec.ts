import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Release } from '@anniversary/shared/contract/composition'
import { shownMark } from '@anniversary/shared/contract/page-names'
import type { Page } from '@playwright/test'
import { FAULTS } from '../src/faults.ts'
import { takenOver } from '../src/members.ts'
import { type FaultySite, filesPattern, previousBuild } from '../src/site.ts'
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
async function withCanary(site: FaultySite): Promise<Release> {
  const release = await site.previous(login)
  site.compose(login, { canary: { percent: 100, release } })
  return release
}

test('a visitor of a canary uses the prerendered page until the canary is there', async ({
  page,
  site,
}) => {
  const canary = await withCanary(site)
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

test('a canary that fails is replaced by the current release and reported', async ({
  page,
  site,
}) => {
  const canary = await withCanary(site)
  site.proxy.break(filesPattern(canary, login, 'entry'), FAULTS['404'])
  await site.open(page, '/login?private=1')
  await login.works(page)
  expect(await version(page)).not.toBe(canary.version)
  await expect.poll(site.nexts).toEqual(['retry', 'other-version'])
  const report = {
    'event.name': 'remote.failure',
    'remote.name': 'mf-auth',
    'remote.version': canary.version,
    'remote.phase': 'entry',
    'composition.number': expect.any(Number),
    'exception.message': expect.stringMatching(/^HTTP 404: \/mf-auth\/[^ ?]+\/entry\.[^ ]+\.js/),
    'url.path': '/login',
    trace_id: expect.any(String),
  }
  expect(site.reports()).toEqual([
    { ...report, 'remote.next': 'retry' },
    { ...report, 'remote.next': 'other-version' },
  ])
})
