import { createApiError } from '@anniversary/shared/client/api-error'
import type { ClaimResult, ClientApi, Mission } from '@anniversary/shared/contract/host'
import type { FakeHostOptions } from '@anniversary/shared/testing/fake-host'

/** The six missions of demo01 at the demo's time. */
export const typicalMissions: readonly Mission[] = [
  { id: 'NAP_300', name: 'Tổng nạp 300 điểm', claimed: 2, codes: [], tickets: 1 },
  {
    id: 'CUOC_5000',
    name: 'Tổng cược 5.000 điểm',
    claimed: 1,
    codes: ['A51C-20QB-17CB'],
    tickets: 1,
  },
  { id: 'NAP_STREAK', name: 'Nạp liên tiếp 5 ngày', claimed: 3, codes: [], tickets: 1 },
  { id: 'NAP_15000', name: 'Tổng nạp 15.000 điểm', claimed: 0, codes: [], tickets: 1 },
  { id: 'NAP_10LAN', name: 'Nạp 10 lần', claimed: 2, codes: [], tickets: 1 },
  { id: 'CHIASE', name: 'Chia sẻ sự kiện lên Facebook', claimed: 2, codes: [], tickets: 1 },
]

const codeOf = (index: number) => `A51C-20Q${index}-17C${index}`

async function wait(ms: number): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
}

/**
 * The two calls of /home over a list that claims change. A repeated claim gives
 * the same code.
 */
export function missionApi(
  start: readonly Mission[] = typicalMissions,
  latency = 0,
): Pick<ClientApi, 'missions' | 'takeCode'> {
  let missions = start
  return {
    async missions() {
      await wait(latency)
      return missions
    },
    async takeCode({ mission: id }): Promise<ClaimResult> {
      await wait(latency)
      const mission = missions.find((one) => one.id === id)
      if (!mission || mission.claimed === 0) return { ok: false }
      if (mission.claimed === 1) return { ok: true, codes: mission.codes }
      const codes = [codeOf(missions.indexOf(mission))]
      missions = missions.map((one) => (one === mission ? { ...one, claimed: 1, codes } : one))
      return { ok: true, codes }
    },
  }
}

const all = (claimed: Mission['claimed']) =>
  typicalMissions.map((mission, index) => ({
    ...mission,
    claimed,
    codes: claimed === 1 ? [codeOf(index)] : [],
  }))

const unreachable = () => Promise.reject(createApiError('unreachable', 'Network Error'))

/** Grants claims, and loses the answers: a claim ends with `lose`. */
export function lostAnswers(
  latency = 0,
  lose: () => Promise<never> = unreachable,
): Partial<ClientApi> {
  const api = missionApi(typicalMissions, latency)
  return {
    ...api,
    takeCode: async (claim) => {
      await api.takeCode(claim)
      return lose()
    },
  }
}

export const scenarios: Record<string, FakeHostOptions> = {
  'Điển hình': { api: missionApi(typicalMissions, 300) },
  'Chưa đạt nhiệm vụ nào': { api: missionApi(all(0), 300) },
  'Đã nhận đủ sáu vé': { api: missionApi(all(1), 300) },
  'Danh sách trống': { api: missionApi([], 300) },
  'Mạng rất chậm': { api: missionApi(typicalMissions, 8000) },
  'Không trả lời': { api: { missions: () => new Promise(() => {}) } },
  'Tải danh sách thất bại': { api: { missions: unreachable } },
  'Mất câu trả lời khi nhận vé': { api: lostAnswers(400) },
  'Máy chủ từ chối': {
    api: {
      ...missionApi(typicalMissions, 300),
      takeCode: async () => ({ ok: false, message: 'Giai đoạn đã kết thúc' }),
    },
  },
  'Đang quay thưởng': { api: missionApi(), now: () => new Date('2025-09-09T20:30:00+07:00') },
  'Sự kiện đã kết thúc': {
    api: missionApi(all(1)),
    now: () => new Date('2025-10-01T00:00:00+07:00'),
  },
}
