import { ENGINES } from '../src/browser.ts'
import { startFaultyProxy } from '../src/faulty-proxy.ts'
import { names } from '../src/members.ts'
import { startStack } from '../src/stack.ts'
import { expect, test } from '../src/test.ts'
import { inEngine, SIZES } from './browsers.ts'
import { fill, press, see, until } from './driver.ts'

const STAGE_2 = Date.parse('2025-09-10T00:00:00+07:00')

/**
 * In the page: whether the share mission, which opens with the stage, can be
 * claimed.
 */
const isOpen = () =>
  [...document.querySelectorAll('li')].some(
    (card) => card.textContent?.includes('Chia sẻ') && card.querySelector('button:enabled'),
  )

for (const engine of ENGINES)
  test(
    `${engine}: the start of a stage changes the cards without a call`,
    // It waits for a minute. By day mf-missions/src/store/home-store.test.ts
    // has a clock of its own.
    { tag: '@nightly' },
    () =>
      inEngine(engine, SIZES.phone, async (driver) => {
        const stack = await startStack({ EVENT_NOW: new Date(STAGE_2 - 60_000).toISOString() })
        let ahead = 0
        /**
         * Milliseconds of the event's clock from the stage's start to each
         * answer of the API.
         */
        const answers: number[] = []
        const site = await startFaultyProxy(stack.url, (answer, path) => {
          const time = path.startsWith('/api/client/') && answer.headers['x-event-time']
          if (!time) return answer
          ahead = Date.parse(time) - Date.now()
          answers.push(Date.parse(time) - STAGE_2)
          return answer
        })
        const page = { driver }
        try {
          await driver.goto(`${site.url}/login`)
          await fill(page, 'Tài khoản', 'demo01')
          await fill(page, 'Chữ số thứ 1', '1234')
          await press(page, names.login)
          await see(page, 'Giai đoạn 2 bắt đầu sau')
          expect(await driver.evaluate(isOpen)).toBe(false)

          await until('the open mission', () => driver.evaluate(isOpen), 100_000)
          const description = `${Date.now() + ahead - STAGE_2} ms`
          expect(answers.filter((at) => at > 0)).toEqual([])
          test.info().annotations.push({ type: 'until the cards were right', description })
          await see(page, 'Giai đoạn 2 kết thúc sau')
          // Within 25 s, of which the first five are quiet.
          await expect.poll(() => answers.at(-1), { timeout: 60_000 }).toBeGreaterThan(0)
          expect(answers.find((at) => at > 0)).toBeGreaterThan(4000)
          expect(await driver.evaluate(isOpen)).toBe(true)
        } finally {
          await site.close()
          expect(await stack.stop(), 'exit code of the stack').toBe(0)
        }
      }),
  )
