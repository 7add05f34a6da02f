import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { freezeList } from '../../test/draw-lists.ts'
import { startTestApi } from '../../test/test-api.ts'
import { readAuditRows } from '../operator/audit.ts'
import { banMember } from '../operator/member-corrections.ts'
import {
  deliverPrize,
  undoCompletion,
  undoDrawResult,
  voidTicket,
} from '../operator/ticket-corrections.ts'
import { hashDeskToken } from '../server/desk-access.ts'
import { buildDeskServer } from './server.ts'

const TOKEN = 'a-token-of-the-desk'
const api = await startTestApi({ env: { DESK_ACCESS: `hoa:${hashDeskToken(TOKEN)}` } })
const desk = buildDeskServer(api, console.error)
const origin = await desk.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => desk.close())

const headers = (token = TOKEN) => ({
  authorization: `Basic ${Buffer.from(`hoa:${token}`).toString('base64')}`,
  origin,
})
async function askPage(asked: string, more: Record<string, string> = {}): Promise<string> {
  const body = new URLSearchParams({ asked, ...more })
  const answer = await fetch(`${origin}/desk`, { method: 'POST', headers: headers(), body })
  expect(answer.status).toBe(200)
  return answer.text()
}
async function ask(...asked: Parameters<typeof askPage>): Promise<string> {
  return (await askPage(...asked))
    .replace(/<style>.*<\/style>/s, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
}

let codes: readonly [string, string]
let cheat: Awaited<ReturnType<typeof api.addHolder>>
let unlucky: Awaited<ReturnType<typeof api.addHolder>>
beforeAll(async () => {
  const holder = await api.addHolder({ account: 'Nguyen.An' })
  cheat = await api.addHolder()
  unlucky = await api.addHolder()
  codes = holder.codes
  await api.act(holder.account, ['2025-08-12', 'bet', 0.5], ['2025-08-12', 'deposit', 500])
  await api.claim(holder.token, 'NAP_15000')
  await api.call({
    url: '/api/client/update-info',
    token: holder.token,
    payload: {
      fullname: 'Trần Bí Mật',
      phone_number: '0912000111',
      address: '12 Phố Kín',
      note: '',
    },
  })
  for (let n = 0; n < 6; n++) await api.login(holder.account, '0000')
  await api.sql(
    "UPDATE login_attempt SET locked_until = now() + interval '1 hour' WHERE locked_until IS NOT NULL",
  )
  await api.complete(unlucky.account, 'NAP_15000')
  await api.correct(undoCompletion, unlucky.account, 'NAP_15000', '1')
  const refs = await api.act(cheat.account, ['2025-08-12', 'deposit', 15_000])
  await api.reverse(cheat.account, refs)
  await api.correct(voidTicket, unlucky.codes[1])
  api.setNow('2025-09-07T00:01:00+07:00')
  await freezeList(api, 1)
  await api.win(codes[0], { giftcode: null })
  await api.win(codes[1], { giftcode: 'GIFT-1' })
  await api.win(unlucky.codes[0], { giftcode: null })
  await api.trade(holder.token)
  await api.correct(deliverPrize, unlucky.codes[0])
  await api.correct(banMember, cheat.account)
})

/** What members ask a desk, each answered by one search. */
test.each<[question: string, asked: () => string, answer: RegExp]>([
  ['whose code it is', () => codes[1].toLowerCase(), /Chủ của mã \S+ Tài khoản Nguyen\.An/],
  [
    'how often and why a claim was refused',
    () => 'nguyen.an',
    /Tổng nạp 15\.000 điểm Bạn chưa đủ điều kiện để nhận vé \(1 lần, gần nhất/,
  ],
  [
    'how much is missing for a ticket',
    () => 'nguyen.an',
    /Tổng nạp 15\.000 điểm Chưa Đạt; còn thiếu 14\.200 điểm nạp/,
  ],
  [
    'that a reversal took a mission back',
    () => cheat.account,
    /Tổng nạp 15\.000 điểm Chưa Đạt; còn thiếu 14\.700 điểm nạp; đã bị thu hồi do giao dịch bị hủy/,
  ],
  [
    'that an operator took a mission back',
    () => unlucky.account,
    /15\.000 điểm Chưa Đạt; còn thiếu 14\.700 điểm nạp; đã bị người vận hành hoặc giao dịch hủy thu hồi/,
  ],
  ['what the member sees at a mission', () => 'nguyen.an', /Tổng nạp 300 điểm Đã nhận/],
  ['when a ticket was given', () => cheat.codes[0], /300 điểm, nhận lúc 20:00 20\/08\/2025/],
  ["a code's number in a list", () => codes[0], /số \d trong danh sách lần 1/],
  [
    'why a code is in no list',
    () => unlucky.codes[1],
    /ĐÃ HỦY từ .*; không có trong danh sách lần 1: vé đã hủy/,
  ],
  [
    'what a code has won and until when',
    () => codes[0],
    /trúng 999K lần 1, giải do bộ phận hỗ trợ trao, chưa nhận, hạn 23:59 0?9\/10\/2025/,
  ],
  ['whether a prize was handed over', () => unlucky.codes[0], /lần 1, đã trao giải lúc \d\d:/],
  ['whether a gift code was exchanged', () => codes[1], /lần 1, đã đổi gift code lúc 20:00 09/],
  ['why a member cannot log in', () => 'nguyen.an', /ĐANG BỊ KHÓA đăng nhập đến .* 6 lần sai/],
  [
    'whether a member is banned, since when and by whom',
    () => cheat.account,
    /ĐÃ BỊ KHÓA.* từ \d\d:.* Thay đổi của người vận hành .* ban \S+; two accounts/,
  ],
  ['an unknown code', () => 'A51C-20QB-17CB', /Không tìm thấy tài khoản hoặc mã này/],
])('the desk answers %s', async (_question, asked, answer) => {
  expect(await ask(asked())).toMatch(answer)
})

test("the desk names a prize's kind and operators' changes, never a gift code", async () => {
  const [code] = cheat.codes
  await api.win(code, { giftcode: 'GIFT-2' })
  const page = await ask(cheat.account)
  expect(page).toContain('trúng 999K lần 1, gift code do thành viên tự đổi, chưa nhận, hạn')
  await api.correct(undoDrawResult, code)
  const changed = await ask(cheat.account)
  expect(changed).toContain(`; undo-draw ${code}; trúng 999K lần 1; two accounts`)
  expect(await ask(unlucky.account)).toContain(
    `; undo-completion ${unlucky.account}; Tổng nạp 15.000 điểm, Giai đoạn 1; two accounts`,
  )
  expect(page + changed).not.toContain('GIFT-2')
})

test('name and phone are masked until shown, digits never appear, each look is audited', async () => {
  const before = await ask('nguyen.an')
  expect(before).toContain('T*** B*** M*** ***111')
  const shown = await ask('nguyen.an', { show: '1' })
  expect(shown).toContain('Trần Bí Mật 0912000111')
  expect(before + shown).not.toMatch(/1234|12 Phố Kín/)
  const looks = await api.sql<{ who: string; detail: object }>(
    "SELECT who, detail FROM audit WHERE what = 'desk-look' ORDER BY id DESC LIMIT 2",
  )
  expect(looks).toEqual([
    { who: 'desk hoa', detail: { found: true, shown: true } },
    { who: 'desk hoa', detail: { found: true, shown: false } },
  ])
})

test('looks do not push changes by operators out of what is shown', async () => {
  await api.sql(
    `INSERT INTO audit (who, what, member_id, subject, detail)
     SELECT 'desk hoa', 'desk-look', member_id, '', '{}' FROM audit, generate_series(1, 101) WHERE what = 'ban'`,
  )
  expect(await ask(cheat.account)).toMatch(/Thay đổi của người vận hành .* ban \S+; two accounts/)
  const newest = await readAuditRows(api.database, null)
  expect(newest).toContainEqual(expect.objectContaining({ what: 'ban' }))
})

test('the desk shows the stages that have begun, as the member sees them', async () => {
  api.setNow('2025-08-20T20:00:00+07:00')
  expect(await ask('nguyen.an')).toMatch(/Nạp tiền 5 ngày liên tiếp Kiểm tra; còn thiếu/)
  api.setNow('2025-09-07T00:01:00+07:00')
  const page = await ask('nguyen.an')
  expect(page).toMatch(/Nạp tiền 5 ngày liên tiếp Chưa Đạt; còn thiếu/)
  expect(page).not.toContain('Giai đoạn 2')
})

test('a desk token does nothing but look', async () => {
  const call = (path: string, init: RequestInit = {}) => fetch(`${origin}${path}`, init)
  expect((await call('/desk')).status).toBe(401)
  expect((await call('/desk', { headers: headers('wrong') })).status).toBe(401)
  const page = await call('/desk', { headers: headers() })
  expect(page.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-/,
  )
  expect(await page.text()).not.toMatch(/<script/)
  for (const page of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
    const foreign = { ...headers(), ...page }
    expect((await call('/desk', { headers: foreign })).status).toBe(200)
    expect((await call('/desk', { method: 'POST', headers: foreign })).status).toBe(403)
  }
  for (const method of ['PUT', 'DELETE', 'PATCH'])
    expect((await call('/desk', { method, headers: headers() })).status).toBe(404)
  for (const path of ['/api/client/info', '/metrics', '/healthz', '/control'])
    expect((await call(path, { headers: headers() })).status).toBe(404)
  const text = {
    method: 'POST',
    headers: { ...headers(), 'content-type': 'application/json' },
    body: '{}',
  }
  expect((await call('/desk', text)).status).toBe(415)
  // The API does not take it either.
  for (const url of ['/api/client/info', '/metrics', '/api/reports/errors'])
    expect((await api.call({ url, key: TOKEN })).status).toBe(401)
})

test('what agents and members have typed is no markup', async () => {
  const asked = await askPage('"><img src=x>')
  expect(asked).toContain('value="&quot;&gt;&lt;img src=x&gt;"')
  await api.sql("UPDATE member_address SET fullname = '<img src=x>'")
  const shown = await askPage('nguyen.an', { show: '1' })
  expect(shown).toContain('&lt;img src=x&gt;')
  expect(asked + shown).not.toContain('<img')
})
