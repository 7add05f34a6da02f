import { writeFile } from 'node:fs/promises'
import { ENGINES, type Engine, findEngine } from '../src/browser.ts'
import { startFaultyProxy } from '../src/faulty-proxy.ts'
import type { Guest } from '../src/members.ts'
import { expect, test } from '../src/test.ts'
import type { Size, Step } from './driver.ts'
import { startPlaywright } from './playwright.ts'
import { embedSteps, steps } from './steps.ts'
import { startReportedProxy, startWebKit } from './webkit.ts'

/** One walk in each browser that members use: every step succeeds, and the console gets no error. */

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }

test.describe.configure({ mode: 'parallel' })

// Chromium has all of e2e.
for (const engine of ['firefox', 'webkit'] as const)
  test(`${engine}: a short walk on a phone`, async ({ stack, guest }) => {
    const short = steps.filter((step) => step.short)
    await walk(engine, PHONE, short, stack.url, guest)
  })

for (const engine of ENGINES)
  for (const [name, size] of Object.entries({ phone: PHONE, desktop: DESKTOP }))
    test(`${engine}: the whole walk on a ${name}`, { tag: '@nightly' }, async ({
      stack,
      examples,
      guest,
    }) => {
      await walk(engine, size, [...steps, ...embedSteps(examples.pages)], stack.url, guest)
    })

async function walk(
  engine: Engine,
  size: Size,
  chosen: readonly Step[],
  stackUrl: string,
  guest: Guest,
): Promise<void> {
  test.setTimeout(240_000)
  const found = findEngine(engine)
  if ('missing' in found) return test.skip(true, found.missing)

  const { proxy: site, takeProblems } =
    engine === 'webkit'
      ? await startReportedProxy(stackUrl)
      : { proxy: await startFaultyProxy(stackUrl), takeProblems: () => [] }
  const driver = await (engine === 'webkit'
    ? startWebKit(found.program, size, takeProblems)
    : startPlaywright(engine, found.program, size))
  try {
    for (const { name, errors, run } of chosen)
      await test.step(name, async () => {
        await run({ driver, site, guest })
        const problems = driver.takeProblems().filter((text) => !errors?.test(text))
        expect(problems, 'console errors and policy violations').toEqual([])
      })
  } catch (error) {
    const picture = await driver.screenshot().catch(() => undefined)
    if (picture) await writeFile(test.info().outputPath('failed.png'), picture)
    throw error
  } finally {
    await driver.stop()
    await site.close()
  }
}
