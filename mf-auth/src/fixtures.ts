import { createApiError } from '@anniversary/shared/client/api-error'
import type { CheckResult, ClientApi, LoginResult } from '@anniversary/shared/contract/host'
import type { FakeHostOptions } from '@anniversary/shared/testing/fake-host'

const later = <T>(answer: T) => new Promise<T>((resolve) => setTimeout(resolve, 600, answer))

const accepted = (needsAddress = false): LoginResult => ({
  ok: true,
  sign: 'fixture-token',
  username: 'demo01',
  needsAddress,
})

export const answerByUsername = {
  by: 'username',
  stages: [
    { stage: 1, tickets: 3 },
    { stage: 2, tickets: 0 },
    { stage: 3, tickets: 1 },
  ],
} as const satisfies CheckResult

export const answerByCode = {
  by: 'code',
  valid: true,
  stage: 1,
  mission: 'Tổng nạp 300 điểm',
  claimedAt: '2025-08-20T20:05:30+07:00',
  lists: [{ draw: 1, position: 212_044 }],
} as const satisfies CheckResult

const found = { username: answerByUsername, code: answerByCode }
const check: ClientApi['check'] = ({ by }) => later(found[by])

const alone = (api: Partial<ClientApi>): FakeHostOptions => ({
  session: null,
  api: { check, ...api },
})

const fail = () => Promise.reject(createApiError('unreachable', ''))

export const scenarios: Record<string, FakeHostOptions> = {
  'Đăng nhập được': alone({ login: () => later(accepted()) }),
  'Cần địa chỉ': alone({ login: () => later(accepted(true)), updateInfo: () => later(true) }),
  'Không lưu được địa chỉ': alone({
    login: () => later(accepted(true)),
    updateInfo: () => later(false),
  }),
  'Sai tài khoản, không tìm thấy mã': alone({
    login: () => later({ ok: false }),
    check: ({ by }) => later(by === 'code' ? { by, valid: false } : { by, stages: [] }),
  }),
  'Mất mạng': alone({ login: fail, check: fail }),
  'Máy chủ không có tra cứu': alone({ check: () => later({ by: 'unsupported' }) }),
}
