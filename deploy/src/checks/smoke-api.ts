import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Envelope, HistoryData, LoginData, MissionData } from '@anniversary/shared/contract/wire'

/*
 * The API of the smoke test: each call of the specification's section 7 gets a typical answer, so that a page shows its
 * content and not an error.
 */
const MISSIONS: MissionData[] = [
  { event_code_detail: 'NAP_300', name: 'Tổng nạp 300 điểm', code: '', claimed: 2, tickets: 1 },
  { event_code_detail: 'CUOC_5000', name: 'Tổng cược 5.000 điểm', code: '', claimed: 0, tickets: 1 },
  { event_code_detail: 'NAP_STREAK', name: 'Nạp tiền 5 ngày liên tiếp', code: '', claimed: 3, tickets: 1 },
  {
    event_code_detail: 'NAP_15000',
    name: 'Tổng nạp 15.000 điểm',
    code: 'A51C-20QB-17CB',
    claimed: 1,
    tickets: 1,
  },
  { event_code_detail: 'NAP_10LAN', name: 'Nạp tiền 10 lần', claimed: 0 },
  { event_code_detail: 'CHIASE', name: 'Chia sẻ bài viết lên Facebook', code: null, claimed: 2 },
]
const HISTORY: HistoryData = {
  code_details: [
    {
      event_code_detail: 'NAP_15000',
      code: ['A51C-20QB-17CB'],
      claimed_at: '2025-08-20T20:00:00+07:00',
      name: 'Tổng nạp',
    },
  ],
  giftcode_trade: [{ giftcode: '999K-DEMO', traded_at: '2025-08-20T21:00:00+07:00' }],
}
const LOGIN: LoginData = { required_address: false, sign: 'smoke', username: 'smoke' }

const ANSWERS: Record<string, unknown> = {
  '/client/login': LOGIN,
  '/client/info': MISSIONS,
  '/client/history': HISTORY,
  '/client/update-info': true,
  '/client/take-code': ['A51C-20QB-17CB'],
}

export const isApiPath = (url: string): boolean => url.startsWith('/api/')

export function answerApi(request: IncomingMessage, response: ServerResponse): void {
  const path = (request.url ?? '').replace(/^\/api|\?.*$/g, '')
  const answer: Envelope<unknown> = { status_code: 200, data: ANSWERS[path] ?? null }
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(answer))
}
