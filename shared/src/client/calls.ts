import { SIGN_HEADER } from '../contract/headers.ts'
import {
  type ClaimedState,
  type ClientApi,
  isApiError,
  type Mission,
  type TicketEntry,
  type Win,
} from '../contract/host.ts'
import type {
  AddressBody,
  CheckBody,
  CheckData,
  Envelope,
  HistoryData,
  LoginBody,
  LoginData,
  MissionData,
  MissionsAnswer,
  TakeCodeBody,
  TakeCodeData,
  TradeData,
} from '../contract/wire.ts'
import { createApiError, failCall } from './api-error.ts'
import type { ClientOptions } from './client-options.ts'
import { createHttpClient, messageOf } from './http.ts'
import { clientTexts as texts } from './texts.ts'

/** Specification, section 7. In a chunk that loads with the first call. */
export function createCalls(options: ClientOptions): Omit<ClientApi, 'draws'> {
  const calls = specifiedCalls(options)
  return {
    ...calls,
    missions: () => calls.missions().catch(unlessEnded),
    takeCode: (claim) => calls.takeCode(claim).catch(unlessEnded),
    history: () => calls.history().catch(unlessEnded),
    tradeGiftcode: () => calls.tradeGiftcode().catch(unlessEnded),
  }
}

function specifiedCalls(options: ClientOptions): Omit<ClientApi, 'draws'> {
  const http = createHttpClient(options)
  const { site } = options.config

  /** @throws without a token, so that nothing is sent */
  const signed = () => {
    const token = options.token()
    if (!token) throw failCall(options, 'no-token', texts.noToken)
    return { headers: { [SIGN_HEADER]: token } }
  }

  return {
    async login({ username, lastBankNumber }) {
      const body: LoginBody = { site, username, lastBankNumber }
      const { data: answer } = await http.post<Envelope<LoginData | null>>('/client/login', body)
      const { sign, username: account, required_address: flag } = answer.data ?? {}
      if (!sign) return { ok: false }
      return {
        ok: true,
        sign,
        username: account ?? username,
        needsAddress: !FALSE_FLAGS.includes(flag),
      }
    },

    async updateInfo({ fullname, phoneNumber, address, note }, token) {
      const body: AddressBody = { address, fullname, phone_number: phoneNumber, note }
      const headers = { [SIGN_HEADER]: token }
      const { data: answer } = await http.post<Envelope<boolean>>('/client/update-info', body, {
        headers,
      })
      return answer.data === true
    },

    async missions() {
      const { data: answer } = await http.get<MissionsAnswer>('/client/info', signed())
      const { data, next } = answer
      if (!Array.isArray(data)) throw unexpected(answer)
      const coming = next && {
        next: { at: new Date(next.at), missions: next.missions.map(missionFrom) },
      }
      return Object.assign(data.map(missionFrom), coming)
    },

    async takeCode({ mission, shareLinks, streak }) {
      const body: TakeCodeBody = {
        event_code_detail: mission,
        ...(shareLinks && { share_links: [...shareLinks] }),
        ...(streak && { startTimeStreak: streak.start, endTimeStreak: streak.end }),
      }
      const request = { ...signed(), params: { event_code_detail: mission } }
      const { data: answer } = await http.post<Envelope<TakeCodeData>>(
        '/client/take-code',
        body,
        request,
      )
      if (!isSuccess(answer)) return refusal(answer)
      return { ok: true, codes: codesOfClaim(answer.data) }
    },

    async history() {
      const { data: answer } = await http.get<Envelope<HistoryData | null>>(
        '/client/history',
        signed(),
      )
      if (!isSuccess(answer)) return refusal(answer)
      const { code_details, last_draw, giftcode_trade } = answer.data ?? {}
      return {
        ok: true,
        tickets: (code_details ?? []).map(ticketFrom),
        lastDraw: last_draw ?? 0,
        giftcodes: giftcodesFrom(giftcode_trade),
      }
    },

    async check({ by, value }) {
      const body: CheckBody = { site, by, value }
      const { status, data: answer } = await http.post<Envelope<CheckData>>('/client/check', body, {
        // The specification has no such call, so an API host may lack it
        // without an error.
        validateStatus: (code) => code === 404 || (code >= 200 && code < 300),
      })
      if (status === 404) return { by: 'unsupported' }
      if (!isSuccess(answer)) throw unexpected(answer)
      const { data } = answer
      if (data.by === 'username') return data
      if (!data.valid) return { by: 'code', valid: false }
      const { stage = 0, mission = '', claimed_at: claimedAt = '', lists = [] } = data
      return { by: 'code', valid: true, stage, mission, claimedAt, lists }
    },

    async tradeGiftcode() {
      const { data: answer } = await http.post<Envelope<TradeData>>(
        '/client/lottery/trade-giftcode',
        {},
        signed(),
      )
      if (!isSuccess(answer)) throw unexpected(answer)
      return giftcodesFrom(answer.data)
    },
  }
}

/**
 * Never settles without a session: the host goes to /login, and pages need not
 * handle that.
 */
function unlessEnded(error: unknown): Promise<never> {
  const isEnd = isApiError(error) && ['unauthorized', 'no-token'].includes(error.failure)
  if (isEnd) return new Promise(() => {})
  throw error
}

// Other API hosts may write numbers as text, and codes as numbers.
const isSuccess = ({ status_code: code }: Envelope<unknown>) => Number(code) === 200

const unexpected = (answer: Envelope<unknown>) =>
  createApiError('refused', messageOf(answer) ?? texts.unreachable, 200)

function refusal(answer: Envelope<unknown>) {
  const message = messageOf(answer)
  return { ok: false as const, ...(message && { message }) }
}

type Ticket = HistoryData['code_details'][number]
type Prize = NonNullable<Ticket['prizes']>[number]

const FALSE_FLAGS: readonly unknown[] = [undefined, null, false, 0, '', '0', 'false']

/**
 * Codes of the wire (a list, or one comma-separated text), trimmed, without
 * empty ones.
 */
function codesFrom(value: readonly string[] | string | null | undefined): string[] {
  const parts = Array.isArray(value) ? value : String(value ?? '').split(',')
  return parts.map((code) => String(code).trim()).filter(Boolean)
}

/** A streak check answers its codes within an object. */
function codesOfClaim(data: TakeCodeData): string[] {
  if (typeof data === 'string' || Array.isArray(data)) return codesFrom(data)
  return codesFrom(data?.code)
}

const isClaimedState = (value: number): value is ClaimedState => [0, 1, 2, 3].includes(value)

function missionFrom(data: MissionData): Mission {
  const { kind = '', value = Number.NaN, goal = 0 } = data.progress ?? {}
  const claimed = Number(data.claimed)
  return {
    id: data.event_code_detail,
    name: data.name,
    claimed: isClaimedState(claimed) ? claimed : 0,
    codes: codesFrom(data.code),
    tickets: data.tickets ?? 1,
    // Only with numbers, and at most the goal.
    ...(Number.isFinite(value) &&
      goal > 0 && { progress: { kind, value: Math.min(Math.max(value, 0), goal), goal } }),
  }
}

function ticketFrom(data: Ticket): TicketEntry {
  const { name, voided, prizes, lists } = data
  // An answer may say null for what it leaves out.
  const mission = String(data.event_code_detail ?? '')
  return {
    mission,
    name: String(name ?? mission),
    codes: codesFrom(data.code),
    voided: voided ?? [],
    claimedAt: String(data.claimed_at ?? ''),
    prizes: (prizes ?? []).map(winFrom),
    lists: lists ?? [],
  }
}

const winFrom = ({ delivery, giftcode, ...win }: Prize): Win => ({
  ...win,
  ...(giftcode && { isGiftcode: true }),
  ...(delivery && {
    delivery: { deliveredAt: delivery.delivered_at, until: delivery.until },
  }),
})

const giftcodesFrom = (entries: TradeData | null | undefined) =>
  (entries ?? []).map(({ giftcode, traded_at }) => ({
    giftcode,
    tradedAt: String(traded_at ?? ''),
  }))
