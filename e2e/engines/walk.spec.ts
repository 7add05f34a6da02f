import { ENGINES } from '../src/browser.ts'
import { nightlyUnless, test } from '../src/test.ts'
import { inEngine, SIZES } from './browsers.ts'
import { embedSteps, steps } from './steps.ts'
import { walk } from './walk.ts'

/**
 * One journey in each browser engine: every step succeeds, and the console has
 * no error.
 */

for (const engine of ENGINES) {
  // All other tests run in Chromium.
  for (const [device, size] of Object.entries(SIZES))
    test(
      `${engine}: a member's journey on a ${device}`,
      nightlyUnless(device === 'phone' && engine !== 'chromium'),
      ({ stack, guest }) =>
        inEngine(engine, size, (driver) => walk(driver, steps, stack.url, guest)),
    )

  test(`${engine}: the embed works on other pages`, { tag: '@nightly' }, ({ examples, guest }) =>
    inEngine(engine, SIZES.desktop, (driver) => walk(driver, embedSteps, examples.pages, guest)),
  )
}
