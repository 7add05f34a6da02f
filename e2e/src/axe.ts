import type { Page } from '@playwright/test'
import axe from 'axe-core'

/**
 * What axe finds wrong, one line a finding. Embedded pages are left out: they are pages of their own.
 * Its script is put in once a page; `@axe-core/playwright` does it anew for each question, which takes longer than axe.
 */
export async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { axe: own } = window as never as { axe: typeof axe } // put in above
    const { violations: found } = await own.run(
      { exclude: ['iframe'] },
      { resultTypes: ['violations'], iframes: false, preload: false },
    )
    return found.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
    )
  })
}
