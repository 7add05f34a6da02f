import type { Page } from '@playwright/test'
import { FAULTS, phaseOf } from '../src/faults.ts'
import { type FaultySite, filesPattern, relocated } from './faulty-site.ts'
import { expect, expectTheRestLives, failedCard, inMatrix, TEXTS, test } from './isolation-test.ts'
import { FILE_CELLS, type FileCell, nightlyUnless, type Variant } from './matrix.ts'

/** Every file of every remote, failing in every way; real servers, real builds, the real browser. */

test.describe.configure({ mode: 'parallel' })

for (const cell of FILE_CELLS) {
  const { subject, kind, fault, variant, daily } = cell
  test(`${subject.remote}, ${kind} ${fault}: ${variant}`, nightlyUnless(daily), async ({ page, site }) => {
    inMatrix(`${kind} ${fault}`, subject)
    await RUNS[variant](page, site, cell)
    // Every report names this remote and this phase.
    await expect.poll(site.blamed).toEqual([`${subject.remote} ${phaseOf(kind, fault)}`])
  })
}

type Run = (page: Page, site: FaultySite, cell: FileCell) => Promise<void>

const RUNS: Record<Variant, Run> = { boot, foreign, visit, first, previous }

function breakFiles(site: FaultySite, { subject, kind, fault }: FileCell, which: 'first' | 'all'): void {
  site.compose(subject, (remote) => {
    const { source } = filesPattern(remote.current, subject, kind)
    site.proxy.break(new RegExp(which === 'all' ? source : source.replace('(\\?|$)', '$')), FAULTS[fault])
    return remote
  })
}

async function expectCardThenRecovery(page: Page, site: FaultySite, cell: FileCell): Promise<void> {
  await site.open(page, cell.subject.path)
  await expect(failedCard(page)).toBeVisible()
  await expectTheRestLives(page, cell.subject)
  site.proxy.mend()
  site.foreign.mend()
  await failedCard(page).getByRole('button', { name: TEXTS.retry }).click()
  await cell.subject.works(page)
  expect(site.pagesLoaded()).toBe(1)
}

async function boot(page: Page, site: FaultySite, cell: FileCell): Promise<void> {
  breakFiles(site, cell, 'all')
  await expectCardThenRecovery(page, site, cell)
}

async function foreign(page: Page, site: FaultySite, cell: FileCell): Promise<void> {
  site.compose(cell.subject, (remote) => {
    site.foreign.break(filesPattern(remote.current, cell.subject, cell.kind), FAULTS[cell.fault])
    return { ...remote, current: relocated(site.foreign.url, remote.current) }
  })
  await expectCardThenRecovery(page, site, cell)
}

async function visit(page: Page, site: FaultySite, cell: FileCell): Promise<void> {
  const { subject } = cell
  breakFiles(site, cell, 'all')
  await site.open(page, subject.from.path)
  await subject.from.works(page)
  await subject.from.go(page)
  await expect(failedCard(page)).toBeVisible()
  await expectTheRestLives(page, subject)
  await page.goBack()
  await subject.from.works(page)
  site.proxy.mend()
  await page.goForward()
  await subject.works(page)
  expect(site.pagesLoaded()).toBe(1)
}

async function first(page: Page, site: FaultySite, cell: FileCell): Promise<void> {
  breakFiles(site, cell, 'first')
  await site.open(page, cell.subject.path)
  await cell.subject.works(page)
  await expect.poll(site.nexts).toEqual(['retry'])
}

async function previous(page: Page, site: FaultySite, cell: FileCell): Promise<void> {
  const { subject, kind, fault } = cell
  const release = await site.previous(subject)
  site.compose(subject, (remote) => {
    site.proxy.break(filesPattern(remote.current, subject, kind), FAULTS[fault])
    return { ...remote, previous: release }
  })
  await site.open(page, subject.path)
  await subject.works(page)
  await expect.poll(site.nexts).toEqual(['retry', 'other-version'])
  // The report of the failure comes before the request.
  await expect.poll(() => site.filesOf(subject.remote)).toContain(release.entry)
}
