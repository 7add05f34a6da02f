import type { CDPSession, Page } from '@playwright/test'
import { subjectOf } from '../src/subjects.ts'
import { expect, test } from '../src/test.ts'

/** Leaving a page and coming back leaks no DOM nodes and no listeners. */

const TIMES = 50
const WARM_UP = 5

/** Counts after garbage collection. */
async function alive(session: CDPSession): Promise<{ nodes: number; listeners: number; heap: number }> {
  for (const _twice of [1, 2]) await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
  return { nodes: of('Nodes'), listeners: of('JSEventListeners'), heap: of('JSHeapUsedSize') }
}

/** Repeats an action and expects that the counts do not grow. */
async function expectNoGrowth(page: Page, once: () => Promise<void>): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  for (let time = 0; time < WARM_UP; time += 1) await once()
  const before = await alive(session)
  for (let time = 0; time < TIMES; time += 1) await once()
  const after = await alive(session)
  await session.detach()
  const nodes = after.nodes - before.nodes
  const listeners = after.listeners - before.listeners
  const heap = Math.round((after.heap - before.heap) / 1000)
  console.log(`${TIMES} times: ${nodes} nodes, ${listeners} listeners, ${heap} kB of heap more`)
  // One leaked node or listener a time would make as many.
  expect(nodes).toBeLessThanOrEqual(TIMES / 2)
  expect(listeners).toBeLessThanOrEqual(5)
}

test(`a page is left and visited ${TIMES} times`, { tag: '@nightly' }, async ({ page, site }) => {
  test.setTimeout(180_000)
  const subject = subjectOf('mf-missions')
  await site.open(page, subject.from.path)
  await subject.from.works(page)
  await expectNoGrowth(page, async () => {
    await subject.from.go(page)
    await subject.works(page)
    await page.goBack()
    await subject.from.works(page)
  })
})
