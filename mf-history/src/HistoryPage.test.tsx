import type { HistoryResult } from '@anniversary/shared/contract/host'
import { createFakeHost } from '@anniversary/shared/testing/fake-host'
import { render, screen, within } from '@testing-library/react'
import { StrictMode } from 'react'
import { giftcodes, tickets } from './fixtures.ts'
import HistoryPage from './HistoryPage.tsx'

const open = (history: () => Promise<HistoryResult>) => {
  const asked = jest.fn(history)
  const host = createFakeHost({ api: { history: asked } })
  const page = render(<HistoryPage host={host} />, { wrapper: StrictMode })
  return { host, asked, ...page }
}

const answer = (result: HistoryResult) => () => Promise.resolve(result)

const rowsOf = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    )

const ticketRegion = () => screen.findByRole('region', { name: 'Vé số may mắn' })
describe('the ticket table', () => {
  it('shows time, codes joined by commas, and the mission in capitals', async () => {
    open(answer({ ok: true, tickets, giftcodes: [] }))
    const table = within(await ticketRegion()).getByRole('table')
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map((head) => head.textContent),
    ).toEqual(['Thời gian', 'Mã dự thưởng', 'Nhiệm vụ'])
    const rows = rowsOf(table)
    expect(rows).toHaveLength(6)
    expect(rows[0]).toEqual(['20:05:30 10/8/2025', 'A51C-20QB-17C0', 'TỔNG NẠP 300 ĐIỂM'])
    expect(rows[3]).toEqual(['20:05:33 13/8/2025', 'A51C-20QB-17CB, Z07K-9M4T-XW2E', 'TỔNG NẠP 15.000 ĐIỂM'])
  })

  it('keeps the order in which the server lists the entries', async () => {
    open(answer({ ok: true, tickets: [...tickets].reverse(), giftcodes: [] }))
    expect(rowsOf(await ticketRegion())[0]?.[2]).toBe('CHIA SẺ BÀI VIẾT LÊN FACEBOOK')
  })

  it('composes a decomposed name before it makes it capital', async () => {
    const name = 'Chia sẻ đường liên kết ở nhiều nền tảng'
    open(
      answer({
        ok: true,
        tickets: [{ mission: 'X', name: name.normalize('NFD'), codes: [], claimedAt: '' }],
        giftcodes: [],
      }),
    )
    expect(rowsOf(await ticketRegion())[0]?.[2]).toBe('CHIA SẺ ĐƯỜNG LIÊN KẾT Ở NHIỀU NỀN TẢNG')
  })
})
