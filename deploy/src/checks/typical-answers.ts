import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Envelope, HistoryData, MissionData } from '@anniversary/shared/contract/wire'

const CLAIMED = { event_code_detail: 'NAP_15000', name: 'Tổng nạp 15.000 điểm' }
const CODE = 'A51C-20QB-17CB'
const MISSIONS: MissionData[] = [
  { event_code_detail: 'NAP_300', name: 'Tổng nạp 300 điểm', code: '', claimed: 2, tickets: 1 },
  { ...CLAIMED, code: CODE, claimed: 1, tickets: 1 },
  { event_code_detail: 'CHIASE', name: 'Chia sẻ bài viết lên Facebook', code: null, claimed: 2 },
]
const HISTORY: HistoryData = {
  code_details: [{ ...CLAIMED, code: [CODE], claimed_at: '2025-08-20T20:00:00+07:00' }],
  giftcode_trade: [{ giftcode: '999K-DEMO', traded_at: '2025-08-20T21:00:00+07:00' }],
}
const ANSWERS: Record<string, unknown> = { '/client/info': MISSIONS, '/client/history': HISTORY }

export function answerApi({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const path = url.replace(/^\/api|\?.*$/g, '')
  const answer: Envelope<unknown> = { status_code: 200, data: ANSWERS[path] ?? null }
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(answer))
}
