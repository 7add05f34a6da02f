import { createApiError } from '@anniversary/shared/client/api-error'
import type {
  ClaimedState,
  ClaimResult,
  ClientApi,
  Mission,
} from '@anniversary/shared/contract/host'
import { MISSIONS } from '@anniversary/shared/contract/missions'
import type { FakeHostOptions } from '@anniversary/shared/testing/fake-host'

/** Of demo01 at the demo's time. */
const CLAIMED: readonly ClaimedState[] = [2, 1, 3, 0, 2, 2]

export const typicalMissions: readonly Mission[] = MISSIONS.map(
  ({ code: id, name, tickets }, index) => ({
    id,
    name,
    tickets,
    claimed: CLAIMED[index] ?? 0,
    codes: CLAIMED[index] === 1 ? ['A51C-20QB-17CB'] : [],
  }),
)

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

const all = (claimed: ClaimedState) =>
  typicalMissions.map((mission, index) => ({
    ...mission,
    claimed,
    codes: claimed === 1 ? [codeOf(index)] : [],
  }))

const unreachable = () => Promise.reject(createApiError('unreachable', 'Network Error'))

/** Grants claims, and loses the answers. */
export function lostAnswers(latency = 0): Partial<ClientApi> {
  const api = missionApi(typicalMissions, latency)
  return {
    ...api,
    takeCode: async (claim) => {
      await api.takeCode(claim)
      return unreachable()
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
