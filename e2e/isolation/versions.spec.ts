import type { Release } from '@anniversary/shared/contract/composition'
import type { Page } from '@playwright/test'
import { FAULTS } from './faults.ts'
import { expect, type Lab, test } from './lab.ts'
import { SUBJECTS } from './remotes.ts'

/** Two versions of one remote on one page, and which of two a visitor gets. */

const [login] = SUBJECTS
if (!login) throw new Error('no subject')

/** Class names that a release's styles define. */
async function classesOf(lab: Lab, { exposes }: Release): Promise<Set<string>> {
  const texts = Object.values(exposes).flatMap(({ css }) =>
    css.map(async ({ url }) => (await fetch(lab.front.url + url)).text()),
  )
  return new Set((await Promise.all(texts)).join().match(/(?<=\.)mf-[\w-]+/g))
}

const classesOn = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('main [class]')].flatMap((element) => [...element.classList]),
  )

test('after a release has failed half-way, the one before it has its own code and styles', async ({
  page,
  lab,
}) => {
  let current: Release | undefined
  const previous = lab.previous(login)
  lab.compose(login, (remote) => {
    current = remote.current
    // Its script and its styles arrive, and stay on the page.
    lab.front.break(lab.urls(remote.current, login, 'entry'), FAULTS['changed byte'])
    return { ...remote, previous }
  })
  await lab.open(page, '/login')
  await login.works(page)
  if (!current) throw new Error('the page was not asked for')

  const [ofCurrent, ofPrevious, shown] = await Promise.all([
    classesOf(lab, current),
    classesOf(lab, previous),
    classesOn(page),
  ])
  const styles = await page.evaluate(() => [...document.styleSheets].map(({ href }) => href ?? ''))
  expect(
    styles.filter((href) => href.includes('/mf-auth/')),
    'both are on the page',
  ).toHaveLength(2)
  expect(
    [...ofPrevious].filter((name) => ofCurrent.has(name)),
    'classes of both',
  ).toEqual([])
  const own = shown.filter((name) => name.startsWith('mf-auth'))
  expect(own.length).toBeGreaterThan(5)
  expect(own.filter((name) => ofCurrent.has(name))).toEqual([])

  const globals = await page.evaluate(() =>
    Object.keys(window).filter((key) => /^rspackChunkmf_auth/.test(key)),
  )
  expect(globals, 'each release pushes its chunks into a place of its own').toHaveLength(2)
  expect(previous.container).not.toBe(current.container)
})

test.describe('canary', () => {
  const version = (page: Page) =>
    page.evaluate(() =>
      performance
        .getEntriesByName('remote:mf-auth:shown')
        .map((mark) => (mark as PerformanceMark).detail)
        .at(-1),
    )
  const withCanary = (lab: Lab, percent: number) =>
    lab.compose(login, (remote) => ({ ...remote, canary: { percent, release: lab.previous(login) } }))

  test('a visitor stays on one side', async ({ browser, lab }) => {
    withCanary(lab, 50)
    const sides = new Set<unknown>()
    for (let visitor = 0; visitor < 12 && sides.size < 2; visitor += 1) {
      const context = await browser.newContext({ locale: 'vi-VN' })
      const page = await context.newPage()
      await lab.open(page, '/login')
      await login.works(page)
      const first = await version(page)
      sides.add(first)
      await page.reload()
      await login.works(page)
      expect(await version(page)).toBe(first)
      await context.close()
    }
    expect(sides.size).toBe(2)
  })

  test('a site without one keeps nothing of a visitor', async ({ page, lab }) => {
    await lab.open(page, '/login')
    await login.works(page)
    expect(await page.evaluate(() => localStorage.length)).toBe(0)
  })

  test('one that fails is followed by what everybody else has, and counted by its own version', async ({
    page,
    lab,
  }) => {
    withCanary(lab, 100)
    const canary = lab.previous(login)
    lab.front.break(lab.urls(canary, login, 'entry'), FAULTS['404'])
    await lab.open(page, '/login')
    await login.works(page)
    expect(await version(page)).not.toBe(canary.version)
    expect(lab.front.reports.map((report) => report['remote.version'])).toEqual([
      canary.version,
      canary.version,
    ])
    await expect.poll(lab.nexts).toEqual(['retry', 'other-version'])
  })
})
