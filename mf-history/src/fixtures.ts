import { createApiError } from '@anniversary/shared/client/api-error'
import type { GiftcodeEntry, HistoryResult, TicketEntry } from '@anniversary/shared/contract/host'
import { MISSIONS } from '@anniversary/shared/contract/missions'
import type { FakeHostOptions } from '@anniversary/shared/testing/fake-host'

export const sampleTickets: readonly TicketEntry[] = MISSIONS.map(
  ({ code: mission, name }, index) => ({
    mission,
    name,
    codes: index === 3 ? ['A51C-20QB-17CB', 'Z07K-9M4T-XW2E'] : [`A51C-20QB-17C${index}`],
    claimedAt: `2025-08-${10 + index}T20:05:3${index}+07:00`,
    prizes: [],
  }),
)

export const sampleGiftcodes: readonly GiftcodeEntry[] = [
  { giftcode: 'GIFT-999K-0001', tradedAt: '2025-09-09T21:15:00+07:00' },
  { giftcode: 'GIFT-999K-0002', tradedAt: '2025-09-09T21:16:40+07:00' },
]

type Lists = Partial<Extract<HistoryResult, { ok: true }>>

export const sampleHistory = (
  lists: Lists = { tickets: sampleTickets, giftcodes: sampleGiftcodes },
): HistoryResult => ({
  ok: true,
  tickets: [],
  giftcodes: [],
  lastDraw: 0,
  ...lists,
})

const answering = (answer: HistoryResult): FakeHostOptions => ({
  api: { history: () => new Promise((resolve) => setTimeout(resolve, 300, answer)) },
})

const win = { code: 'A51C-20QB-17C1', draw: 1, prize: 'Xe máy' }

export const scenarios: Record<string, FakeHostOptions> = {
  'Vé và gift code': answering(sampleHistory()),
  'Chỉ có vé': answering(sampleHistory({ tickets: sampleTickets })),
  'Chưa có gì': answering(sampleHistory({})),
  '18 vé': answering(
    sampleHistory({
      tickets: [...sampleTickets, ...sampleTickets, ...sampleTickets],
      giftcodes: sampleGiftcodes,
    }),
  ),
  'Có mã trúng': answering(
    sampleHistory({
      tickets: sampleTickets.map((one, i) => (i === 1 ? { ...one, prizes: [win] } : one)),
      lastDraw: 1,
    }),
  ),
  'Máy chủ từ chối': answering({ ok: false, message: 'Sự kiện đang được bảo trì' }),
  'Mất mạng': { api: { history: () => Promise.reject(createApiError('unreachable', '')) } },
}
