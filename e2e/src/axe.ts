import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'

// Minified: the browser compiles it on every page, and the plain file is twice
// as long.
const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Violations that axe finds, one line each. It does not look into frames.
 * Animations that end are ended first, since half-faded text lacks contrast. The
 * script is injected once a page; `@axe-core/playwright` injects it for each
 * run, which takes longer than axe itself.
 */
export async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SOURCE)
  return page.evaluate(async () => {
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        animation.finish()
    const { axe: own } = window as never as { axe: typeof axe } // injected above
    const { violations: found } = await own.run({
      resultTypes: ['violations'],
      iframes: false,
      preload: false,
    })
    return found.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
    )
  })
}
