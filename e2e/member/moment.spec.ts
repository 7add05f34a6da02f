import { card, openAs } from '../src/members.ts'
import { startStack } from '../src/stack.ts'
import { expect, test } from '../src/test.ts'

const STAGE_2 = Date.parse('2025-09-10T00:00:00+07:00')

test('the start of a stage changes the cards without a call', async ({ page }) => {
  test.setTimeout(180_000)
  const stack = await startStack({ EVENT_NOW: new Date(STAGE_2 - 60_000).toISOString() })
  try {
    let ahead = 0
    let calls = 0
    /** Milliseconds of the event's clock from the stage's start to each answer. */
    const answers: number[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/client/')) calls++
    })
    page.on('response', (response) => {
      if (!response.url().includes('/api/client/')) return
      const eventTime = Date.parse(response.headers()['x-event-time'] ?? '')
      ahead = eventTime - Date.now()
      answers.push(eventTime - STAGE_2)
    })
    await openAs(page, 'demo01', stack.url)
    const share = card(page, /Chia sẻ/).getByRole('button')
    await expect(share).toBeDisabled()
    await expect(page.getByRole('timer', { name: 'Giai đoạn 2 bắt đầu sau' })).toBeVisible()
    const before = calls

    await expect(share).toBeEnabled({ timeout: 100_000 })
    const switched = Date.now() + ahead - STAGE_2
    expect(calls).toBe(before)
    test
      .info()
      .annotations.push({ type: 'milliseconds until the cards were right', description: `${switched}` })
    await expect(page.getByRole('timer', { name: 'Giai đoạn 2 kết thúc sau' })).toBeVisible()
    // Within 25 s, of which the first five are quiet.
    await expect.poll(() => answers.at(-1), { timeout: 60_000 }).toBeGreaterThan(0)
    expect(answers.find((at) => at > 0)).toBeGreaterThan(4000)
    await expect(share).toBeEnabled()
  } finally {
    expect(await stack.stop(), 'exit code of the stack').toBe(0)
  }
})
