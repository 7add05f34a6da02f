import type { ClaimResult } from '@anniversary/shared/contract/host'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { trackClaims } from './claims-in-flight.ts'
import { NewVersionBanner } from './NewVersionBanner.tsx'
import { watchComposition } from './watch-composition.ts'

describe('looking for a new composition', () => {
  let deployed: number
  let asked: number
  let told: number
  let end: () => void

  beforeEach(() => {
    jest.useFakeTimers()
    deployed = 7
    asked = 0
    told = 0
    end = watchComposition({
      number: 7,
      fetchNumber: async () => {
        asked += 1
        return deployed
      },
      onNewer: () => {
        told += 1
      },
    })
  })
  afterEach(() => {
    end()
    jest.useRealTimers()
  })
  const focus = async () => {
    window.dispatchEvent(new Event('focus'))
    await jest.advanceTimersByTimeAsync(0)
  }

  test('asks on focus, not at every one', async () => {
    await focus()
    await focus()
    expect(asked).toBe(1)
    await jest.advanceTimersByTimeAsync(10_000)
    await focus()
    expect(asked).toBe(2)
    expect(told).toBe(0)
  })

  test('asks every five minutes', async () => {
    await jest.advanceTimersByTimeAsync(15 * 60_000)
    expect(asked).toBe(3)
  })

  test('a page in the background does not ask', async () => {
    jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    await jest.advanceTimersByTimeAsync(15 * 60_000)
    expect(asked).toBe(0)
  })

  test('tells once, and asks no more; a rollback counts', async () => {
    deployed = 8
    await focus()
    expect(told).toBe(1)
    deployed = 9
    await jest.advanceTimersByTimeAsync(15 * 60_000)
    expect([asked, told]).toEqual([1, 1])
  })
})

describe('the offer', () => {
  const json = (number: number) => new Response(JSON.stringify({ number }), { status: 200 })
  let answer: (result: ClaimResult) => void

  async function offer() {
    jest.spyOn(globalThis, 'fetch').mockImplementation(async () => json(8))
    let reloads = 0
    const claims = trackClaims(
      () =>
        new Promise<ClaimResult>((resolve) => {
          answer = resolve
        }),
    )
    render(<NewVersionBanner number={7} claims={claims} reload={() => (reloads += 1)} />)
    await act(async () => void window.dispatchEvent(new Event('focus')))
    return { claims, reloads: () => reloads, button: await screen.findByRole('button', { name: 'Tải lại' }) }
  }

  test('reloads when asked to', async () => {
    const { button, reloads } = await offer()
    expect(screen.getByRole('status')).toHaveTextContent('Đã có phiên bản mới của trang.')
    await userEvent.click(button)
    await act(() => new Promise((resolve) => setTimeout(resolve, 1300)))
    expect(reloads()).toBe(1)
  })

  test('never under a claim that runs, also one that was tapped and not yet sent', async () => {
    const { claims, button, reloads } = await offer()
    await userEvent.click(button)
    await new Promise((resolve) => setTimeout(resolve, 500))
    const claim = claims.takeCode({ mission: 'NAP_300' })
    await act(() => new Promise((resolve) => setTimeout(resolve, 1500)))
    expect(reloads()).toBe(0)
    answer({ ok: true, codes: ['A'] })
    await expect(claim).resolves.toEqual({ ok: true, codes: ['A'] })
    expect(await screen.findByText(/sau khi xem xong vé/)).toBeInTheDocument()
    expect(reloads()).toBe(0)
    await userEvent.click(button)
    await act(() => new Promise((resolve) => setTimeout(resolve, 1300)))
    expect(reloads()).toBe(1)
  })
})
