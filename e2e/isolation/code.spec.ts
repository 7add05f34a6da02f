import { WHOLE } from './cells.ts'
import { crashText, expect, expectTheRestLives, failedCard, inMatrix, TEXTS, test } from './lab.ts'
import { SUBJECTS } from './remotes.ts'

/** Published code that misbehaves: its files are as they were built, so integrity has nothing against it. */

interface Way {
  /** Its build (broken/rspack.config.js). */
  readonly name: string
  readonly sees: 'card' | 'crash'
  readonly phase: string
  /** Shows only at the deadline. */
  readonly slow?: boolean
  readonly throws?: RegExp
}

const WAYS: readonly Way[] = [
  { name: 'ThrowsWhileImporting', sees: 'card', phase: 'expose' },
  { name: 'ThrowsInRender', sees: 'crash', phase: 'render', throws: /broken in render/ },
  { name: 'ThrowsInEffect', sees: 'crash', phase: 'render', throws: /broken in an effect/ },
  { name: 'NeverResolves', sees: 'card', phase: 'deadline', slow: true },
  { name: 'NeverRenders', sees: 'card', phase: 'deadline', slow: true },
  { name: 'NoComponent', sees: 'card', phase: 'contract' },
  { name: 'LacksTheExpose', sees: 'card', phase: 'expose' },
]
test.describe.configure({ mode: 'parallel' })

/** Without `ISOLATION=whole` each way meets one remote, and what is slow only one of the two. */
const subjectsFor = (index: number, slow = false) =>
  WHOLE ? SUBJECTS : slow && index % 2 ? [] : SUBJECTS.slice(index % SUBJECTS.length).slice(0, 1)

WAYS.forEach((way, index) => {
  const seen = way.sees === 'card' ? failedCard : crashText

  for (const subject of subjectsFor(index, way.slow)) {
    if (WHOLE || !way.slow)
      test(`${subject.remote} ${way.name}, no other release`, async ({ page, lab, expectedErrors }) => {
        inMatrix(way.name, subject)
        if (way.throws) expectedErrors.push(way.throws)
        lab.compose(subject, (remote) => ({ ...remote, current: lab.broken(way.name, subject) }))
        await lab.open(page, subject.from.path)
        await subject.from.works(page)
        await subject.from.go(page)
        await expect(seen(page)).toBeVisible()
        await expectTheRestLives(page, subject)
        if (!way.slow) {
          // There is nothing else to try, and the page stays honest about it.
          await seen(page).getByRole('button', { name: TEXTS.retry }).click()
          await expect(seen(page)).toBeVisible()
        }
        await page.goBack()
        await subject.from.works(page)
        expect(lab.pagesLoaded()).toBe(1)
        await expect.poll(lab.told).toEqual([`${subject.remote} ${way.phase}`])
        await expect.poll(() => lab.nexts().at(-1)).toBe('none')
      })

    test(`${subject.remote} ${way.name}, the release before it`, async ({ page, lab, expectedErrors }) => {
      inMatrix(way.name, subject)
      if (way.throws) expectedErrors.push(way.throws)
      lab.compose(subject, (remote) => ({
        ...remote,
        current: lab.broken(way.name, subject),
        previous: lab.previous(subject),
      }))
      await lab.open(page, subject.path)
      // What has rendered once, or tried to, is taken away before the member's eyes; a press brings the other release.
      if (way.sees === 'crash' || way.name === 'NeverRenders') {
        await expect(seen(page)).toBeVisible()
        await seen(page).getByRole('button', { name: TEXTS.retry }).click()
      }
      await expect(page.getByRole('main')).toBeVisible()
      await subject.works(page)
      expect(lab.pagesLoaded()).toBe(1)
      await expect.poll(lab.told).toEqual([`${subject.remote} ${way.phase}`])
    })
  }
})

SUBJECTS.forEach((subject, index) => {
  const only = (cell: number) => WHOLE || index === cell

  if (only(0))
    test(`${subject.remote} throws when it is left`, async ({ page, lab, expectedErrors }) => {
      inMatrix('ThrowsWhenLeft', subject)
      expectedErrors.push(/broken when left/)
      lab.compose(subject, (remote) => ({
        ...remote,
        current: lab.broken('ThrowsWhenLeft', subject),
      }))
      await lab.open(page, subject.from.path)
      await subject.from.works(page)
      await subject.from.go(page)
      await expect(page.getByRole('heading', { name: 'Hỏng khi rời đi' })).toBeVisible()
      await page.goBack()
      await subject.from.works(page)
      expect(lab.pagesLoaded()).toBe(1)
      await expect.poll(lab.told).toEqual([`${subject.remote} render`])
    })

  for (const contract of ['2.0', '1.99'])
    if (only(1))
      test(`${subject.remote} is built for contract ${contract}`, async ({ page, lab }) => {
        inMatrix('wrong contract', subject)
        lab.compose(subject, (remote) => ({ ...remote, current: { ...remote.current, contract } }))
        await lab.open(page, subject.path)
        await expect(failedCard(page)).toBeVisible()
        await expectTheRestLives(page, subject)
        await expect.poll(lab.told).toEqual([`${subject.remote} contract`])
      })

  if (only(2))
    test(`${subject.remote} has an entry that defines no container`, async ({ page, lab }) => {
      inMatrix('no container', subject)
      lab.compose(subject, (remote) => ({
        ...remote,
        current: { ...remote.current, container: 'nobody' },
        previous: lab.previous(subject),
      }))
      await lab.open(page, subject.path)
      await subject.works(page)
      await expect.poll(lab.told).toEqual([`${subject.remote} entry`])
    })

  if (only(3))
    test(`${subject.remote} is switched off`, async ({ page, lab }) => {
      inMatrix('switched off', subject)
      lab.compose(subject, (remote) => ({ ...remote, status: 'off' }))
      await lab.open(page, subject.from.path)
      await subject.from.works(page)
      await subject.from.go(page)
      const card = page.getByRole('alert').filter({ hasText: TEXTS.off })
      await expect(card).toBeVisible()
      await expect(card.getByRole('button')).toHaveCount(0)
      await page.goBack()
      await subject.from.works(page)
      expect(lab.front.asked.filter((url) => url.startsWith(`/${subject.remote}/`))).toEqual([])
      expect(lab.told()).toEqual([])
    })
})
