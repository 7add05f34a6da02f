import type { Page } from '@playwright/test'
import { FILE_CELLS, type FileCell, REDUCED, WHOLE } from './cells.ts'
import { FAULTS, phaseOf } from './faults.ts'
import { expect, expectTheRestLives, failedCard, inMatrix, type Lab, TEXTS, test } from './lab.ts'

/** Every file of every remote, failing in every way; real servers, real builds, the real browser. */

test.describe.configure({ mode: 'parallel' })

for (const cell of WHOLE ? FILE_CELLS : REDUCED) {
  const { subject, kind, fault, variant } = cell
  test(`${subject.remote}, ${kind} ${fault}: ${variant}`, async ({ page, lab }) => {
    inMatrix(`${kind} ${fault}`, subject)
    await RUNS[variant](page, lab, cell)
    await expectPhases(lab, cell)
  })
}

type Run = (page: Page, lab: Lab, cell: FileCell) => Promise<void>

const RUNS: Record<FileCell['variant'], Run> = { boot, foreign, visit, first, previous }

/** The composition is known when the page is asked for, and with it the names of the files. */
function breakFiles(lab: Lab, { subject, kind, fault }: FileCell, which: 'first' | 'all'): void {
  lab.compose(subject, (remote) => {
    const { source } = lab.urls(remote.current, subject, kind)
    lab.front.mend()
    lab.front.break(new RegExp(which === 'all' ? source : source.replace('(\\?|$)', '$')), FAULTS[fault])
    return remote
  })
}

async function expectCardThenRecovery(page: Page, lab: Lab, cell: FileCell): Promise<void> {
  await lab.open(page, cell.subject.path)
  await expect(failedCard(page)).toBeVisible()
  await expectTheRestLives(page, cell.subject)
  lab.front.mend()
  lab.foreign.mend()
  await failedCard(page).getByRole('button', { name: TEXTS.retry }).click()
  await cell.subject.works(page)
  expect(lab.pagesLoaded()).toBe(1)
}

async function boot(page: Page, lab: Lab, cell: FileCell): Promise<void> {
  breakFiles(lab, cell, 'all')
  await expectCardThenRecovery(page, lab, cell)
}

async function foreign(page: Page, lab: Lab, cell: FileCell): Promise<void> {
  lab.compose(cell.subject, (remote) => {
    lab.foreign.break(lab.urls(remote.current, cell.subject, cell.kind), FAULTS[cell.fault])
    return { ...remote, current: lab.on(lab.foreign.url, remote.current) }
  })
  await expectCardThenRecovery(page, lab, cell)
}

async function visit(page: Page, lab: Lab, cell: FileCell): Promise<void> {
  const { subject } = cell
  breakFiles(lab, cell, 'all')
  await lab.open(page, subject.from.path)
  await subject.from.works(page)
  await subject.from.go(page)
  await expect(failedCard(page)).toBeVisible()
  await expectTheRestLives(page, subject)
  await page.goBack()
  await subject.from.works(page)
  lab.front.mend()
  await page.goForward()
  await subject.works(page)
  expect(lab.pagesLoaded()).toBe(1)
}

async function first(page: Page, lab: Lab, cell: FileCell): Promise<void> {
  breakFiles(lab, cell, 'first')
  await lab.open(page, cell.subject.path)
  await cell.subject.works(page)
  await expect.poll(lab.nexts).toEqual(['retry'])
}

async function previous(page: Page, lab: Lab, cell: FileCell): Promise<void> {
  const { subject, kind, fault } = cell
  const release = lab.previous(subject)
  lab.compose(subject, (remote) => {
    lab.front.mend()
    lab.front.break(lab.urls(remote.current, subject, kind), FAULTS[fault])
    return { ...remote, previous: release }
  })
  await lab.open(page, subject.path)
  await subject.works(page)
  await expect.poll(lab.nexts).toEqual(['retry', 'other-version'])
  expect(lab.front.asked).toContain(release.entry)
}

/** Every report names the remote and what was wrong, and nothing else was wrong. */
async function expectPhases(lab: Lab, { subject, kind, fault }: FileCell): Promise<void> {
  await expect.poll(lab.told).toEqual([`${subject.remote} ${phaseOf(kind, fault)}`])
}
