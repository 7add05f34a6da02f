import { card, openAs } from '../src/members.ts'
import { startStack } from '../src/stack.ts'
import { expect, test } from '../src/test.ts'

const STAGE_2 = Date.parse('2025-09-10T00:00:00+07:00')

test('the start of a stage changes the cards without a call', async ({ page }) => {
  test.setTimeout(180_000)
  const stack = await startStack({ EVENT_NOW: new Date(STAGE_2 - 60_000).toISOString() })
  try {
    let ahead = 0
    const calls: number[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/client/')) calls.push(Date.now() + ahead - STAGE_2)
    })
    const listed = page.waitForResponse(/client\/info/)
    await openAs(page, 'demo01', stack.url)
    ahead = Date.parse((await listed).headers()['x-event-time'] ?? '') - Date.now()
    const share = card(page, /Chia sẻ/).getByRole('button')
    await expect(share).toBeDisabled()
    await expect(page.getByRole('timer', { name: 'Giai đoạn 2 bắt đầu sau' })).toBeVisible()
    const before = calls.length

    await expect(share).toBeEnabled({ timeout: 100_000 })
    const switched = Date.now() + ahead - STAGE_2
    expect(calls.slice(before)).toEqual([])
    test
      .info()
      .annotations.push({ type: 'milliseconds until the cards were right', description: `${switched}` })
    await expect(page.getByRole('timer', { name: 'Giai đoạn 2 kết thúc sau' })).toBeVisible()
    // Within 25 s, of which the first five are quiet.
    await expect.poll(() => calls.length, { timeout: 60_000 }).toBeGreaterThan(before)
    expect(calls[before]).toBeGreaterThan(4000)
    await expect(share).toBeEnabled()
  } finally {
    expect(await stack.stop(), 'exit code of the stack').toBe(0)
  }
})
