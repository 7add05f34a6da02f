import { writeFile } from 'node:fs/promises'
import { ENGINES, type Engine, findEngine } from '@anniversary/tools/test/engines'
import { startFaultyProxy } from '../src/faulty-proxy.ts'
import type { Guest } from '../src/guests.ts'
import { expect, test } from '../src/member-test.ts'
import { drawn, type Step } from './actions.ts'
import type { Size } from './driver.ts'
import { startPlaywright } from './playwright.ts'
import { startReportedProxy } from './reported-proxy.ts'
import { embedSteps, steps } from './steps.ts'
import { startWebKit } from './webkit.ts'

/**
 * One walk in each browser that members use: every step succeeds, and the console gets no error. Pictures are kept in the
 * test's output folder.
 */

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }

test.describe.configure({ mode: 'parallel' })

// Chromium has all of e2e.
for (const engine of ['firefox', 'webkit'] as const)
  test(`${engine}: a short walk on a phone`, async ({ stack, guest, newcomer }) => {
    const short = steps.filter((step) => step.short)
    await walk(engine, PHONE, short, { stackUrl: stack.url, guest, newcomer })
  })

for (const engine of ENGINES)
  for (const [name, size] of Object.entries({ phone: PHONE, desktop: DESKTOP }))
    test(`${engine}: the whole walk on a ${name}`, { tag: '@nightly' }, async ({
      stack,
      examples,
      guest,
      newcomer,
    }) => {
      const all = [...steps, ...embedSteps(examples.pages)]
      await walk(engine, size, all, { stackUrl: stack.url, guest, newcomer })
    })

async function walk(
  engine: Engine,
  size: Size,
  chosen: readonly Step[],
  { stackUrl, ...members }: { stackUrl: string; guest: Guest; newcomer: Guest },
): Promise<void> {
  test.setTimeout(240_000)
  const skipped: string[] = []
  const program = findEngine(engine, (line) => void skipped.push(line))
  test.skip(program === undefined, skipped.join(' '))
  if (program === undefined) return

  const { proxy: site, takeProblems } =
    engine === 'webkit'
      ? await startReportedProxy(stackUrl)
      : { proxy: await startFaultyProxy(stackUrl), takeProblems: () => [] }
  const driver = await (engine === 'webkit'
    ? startWebKit(program, size, takeProblems)
    : startPlaywright(engine, program, size))
  const keep = async (name: string) =>
    writeFile(test.info().outputPath(`${name}.png`), await driver.screenshot())
  async function picture(name: string): Promise<void> {
    await drawn(driver)
    await keep(name)
  }
  try {
    for (const { name, errors, run } of chosen)
      await test.step(name, async () => {
        await run({ driver, site, picture, ...members })
        const problems = driver.takeProblems().filter((text) => !errors?.test(text))
        expect(problems, 'console errors and policy violations').toEqual([])
      })
  } catch (error) {
    await keep('failed').catch(() => undefined)
    throw error
  } finally {
    await driver.stop()
    await site.close()
  }
}
