import type { Page } from '@playwright/test'
import { FAULTS, type FaultName } from '../src/faults.ts'
import { type FaultySite, type FileKind, filesPattern } from '../src/site.ts'
import {
  expectTheRestLives,
  failedCard,
  inTurn,
  login,
  type Subject,
  TEXTS,
} from '../src/subjects.ts'
import { expect, nightlyUnless, test } from '../src/test.ts'

/**
 * Every fault of every kind of file, with real servers and builds. The loader
 * treats all remotes alike, so each case uses one of two remotes in turn.
 */

interface Cell {
  readonly subject: Subject
  readonly kind: FileKind
  readonly fault: FaultName
}
type Run = (page: Page, site: FaultySite, cell: Cell) => Promise<void>

const patternOf = (site: FaultySite, { subject, kind }: Cell) =>
  filesPattern(site.current(subject), subject, kind)

/**
 * Opens the page. For a style sheet it comes from another page, since the HTML
 * contains the page's own styles.
 */
async function visit(page: Page, site: FaultySite, { subject, kind }: Cell): Promise<void> {
  if (kind !== 'style') return await site.open(page, subject.path)
  await site.open(page, subject.from.path)
  await subject.from.works(page)
  await subject.from.go(page)
}

const VARIANTS: Readonly<Record<string, Run>> = {
  async 'until restored'(page, site, cell) {
    site.proxy.break(patternOf(site, cell), FAULTS[cell.fault])
    await visit(page, site, cell)
    await expect(failedCard(page)).toBeVisible()
    // Each load requests the entry twice, and a prerendered page is loaded
    // again before the card shows.
    if (cell.subject === login && cell.kind === 'entry' && !isSlow(cell.fault))
      expect(site.filesOf('mf-auth').filter((path) => /entry/.test(path)).length).toBeGreaterThan(2)
    await expectTheRestLives(page)
    const html = page.locator('html')
    // The typeface would delay late files of a first page.
    if (cell.kind !== 'style') await expect(html).not.toHaveAttribute('data-typeface')
    site.proxy.restore()
    await failedCard(page).getByRole('button', { name: TEXTS.retry }).click()
    await cell.subject.works(page)
    await expect(html).toHaveAttribute('data-typeface')
    expect(site.pagesLoaded()).toBe(1)
  },

  async 'first request'(page, site, cell) {
    // A second request has a query.
    const first = patternOf(site, cell).source.replace('(\\?|$)', '$')
    site.proxy.break(new RegExp(first), FAULTS[cell.fault])
    await visit(page, site, cell)
    await cell.subject.works(page)
    await expect.poll(site.nexts).toEqual(['retry'])
  },

  async 'the release before it works'(page, site, cell) {
    const previous = await site.previous(cell.subject)
    site.compose(cell.subject, { previous })
    site.proxy.break(patternOf(site, cell), FAULTS[cell.fault])
    await visit(page, site, cell)
    await cell.subject.works(page)
    await expect.poll(site.nexts).toEqual(['retry', 'other-version'])
    // The report of the failure comes before the request.
    await expect.poll(() => site.filesOf(cell.subject.remote)).toContain(previous.entry)
  },
}

/** True for faults that only the loader's deadline ends. */
const isSlow = (fault: FaultName): boolean => fault === 'hangs' || fault === 'trickles'

/** The phase that a fault of a file is reported with. */
function phaseOf({ kind, fault }: Cell): string {
  if (isSlow(fault)) return 'deadline'
  if (fault === 'changed byte') return 'integrity'
  return kind === 'entry' ? 'entry' : 'chunk'
}

const KINDS: readonly FileKind[] = ['entry', 'script', 'style']
const FAULT_NAMES = Object.keys(FAULTS) as FaultName[] // an object's own keys
for (const [f, fault] of FAULT_NAMES.entries())
  for (const [k, kind] of KINDS.entries())
    for (const [v, [variant, run]] of Object.entries(VARIANTS).entries()) {
      const cell = { subject: inTurn(f + k + v), kind, fault }
      const { remote } = cell.subject
      // `npm test` runs one case for each fault; of the slow faults only the
      // one that waits for a second request.
      const daily = isSlow(fault)
        ? fault === 'hangs' && kind === 'entry' && variant === 'first request'
        : k === f % KINDS.length && v === f % Object.keys(VARIANTS).length
      test(
        `${kind} of ${remote} recovers from ${fault} (${variant})`,
        nightlyUnless(daily),
        async ({ page, site }) => {
          await run(page, site, cell)
          await expect.poll(site.blamed).toEqual([`${remote} ${phaseOf(cell)}`])
        },
      )
    }
