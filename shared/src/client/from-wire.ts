import type {
  CheckResult,
  ClaimedState,
  HistoryResult,
  LoginResult,
  Mission,
  Progress,
} from '../contract/host.ts'
import type {
  CheckData,
  Envelope,
  HistoryData,
  LoginData,
  MissionData,
  TakeCodeData,
  TradeData,
} from '../contract/wire.ts'

/** Codes of the wire (a list, or one comma-separated text), trimmed, without empty ones. */
function codesFrom(value: readonly string[] | string | null | undefined): string[] {
  const parts = typeof value === 'string' ? value.split(',') : (value ?? [])
  return parts.map((code) => String(code).trim()).filter(Boolean)
}

/** A take-code answer is a list, a comma text, or `{code}` of either (specification, section 7). */
export function takenCodesFrom(data: TakeCodeData): string[] {
  const wrapped = typeof data === 'object' && data !== null && !Array.isArray(data)
  return codesFrom(wrapped ? data.code : data)
}

const isClaimedState = (value: number): value is ClaimedState => [0, 1, 2, 3].includes(value)

export function missionFrom(data: MissionData): Mission {
  const progress = data.progress && progressFrom(data.progress)
  return {
    id: data.event_code_detail,
    name: data.name,
    claimed: isClaimedState(data.claimed) ? data.claimed : 0,
    codes: codesFrom(data.code),
    tickets: data.tickets ?? 1,
    ...(progress && { progress }),
  }
}

/** Without numbers there is none; what is more than the goal is the goal. */
const progressFrom = ({ kind, value, goal }: Progress): Progress | undefined =>
  Number.isFinite(value) && goal > 0 ? { kind, value: Math.min(Math.max(value, 0), goal), goal } : undefined

const FALSE_FLAGS: readonly unknown[] = [undefined, null, false, 0, '', '0', 'false']

export function loginFrom(data: LoginData | null | undefined, typedUsername: string): LoginResult {
  if (!data?.sign) return { ok: false }
  return {
    ok: true,
    sign: data.sign,
    username: data.username ?? typedUsername,
    needsAddress: !FALSE_FLAGS.includes(data.required_address),
  }
}

export const refusal = (message: string | undefined) => ({
  ok: false as const,
  ...(message && { message }),
})

export function historyFrom(envelope: Envelope<HistoryData | null>): HistoryResult {
  if (envelope.status_code !== 200) return refusal(envelope.message)
  return {
    ok: true,
    tickets: (envelope.data?.code_details ?? []).map((entry) => ({
      mission: entry.event_code_detail,
      name: entry.name ?? entry.event_code_detail,
      codes: codesFrom(entry.code),
      claimedAt: entry.claimed_at ?? '',
      prizes: entry.prizes ?? [],
    })),
    lastDraw: envelope.data?.last_draw ?? 0,
    giftcodes: giftcodesFrom(envelope.data?.giftcode_trade),
  }
}

export const giftcodesFrom = (entries: TradeData | null | undefined) =>
  (entries ?? []).map(({ giftcode, traded_at }) => ({ giftcode, tradedAt: traded_at ?? '' }))

export function checkFrom(data: CheckData): CheckResult {
  if (data.by === 'username') return data
  if (!data.valid) return { by: 'code', valid: false }
  return {
    by: 'code',
    valid: true,
    stage: data.stage ?? 0,
    mission: data.mission ?? '',
    claimedAt: data.claimed_at ?? '',
    owner: data.owner ?? '',
  }
}
