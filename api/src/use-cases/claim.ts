import { SHARE_MISSION, STREAK_MISSION, type Stage } from '@anniversary/shared/contract/event'
import type { TakeCodeBody } from '@anniversary/shared/contract/wire'
import type { Queryable } from '../database/database.ts'
import { readDepositDays } from '../repositories/activity.ts'
import type { TakeTickets } from '../repositories/claim-sets.ts'
import { readClaimState } from '../repositories/claims.ts'
import { isMissionCode } from '../rules/missions.ts'
import { areShareLinks } from '../rules/share.ts'
import { openStage, shownStage } from '../rules/stages.ts'
import { hasStreak, rangeInStage } from '../rules/streak.ts'

export type ClaimOutcome =
  | { readonly result: 'granted' | 'repeated'; readonly codes: readonly string[] }
  | { readonly result: 'no-session' | ClaimRefusal }

export type ClaimRefusal =
  | 'no-mission'
  | 'not-reached'
  | 'stage-closed'
  | 'stage-full'
  | 'dates-missing'
  | 'dates-reversed'
  | 'no-streak'
  | 'links-missing'
  | 'bad-links'

type Proof = { readonly proof?: unknown } | { readonly refused: ClaimRefusal | 'no-session' }

interface Asked {
  readonly hash: Buffer
  readonly body: TakeCodeBody
  readonly now: Date
  readonly shareHost: string
}

function shareProof({ body, shareHost }: Asked): Proof {
  if (!body.share_links) return { refused: 'links-missing' }
  return areShareLinks(body.share_links, shareHost)
    ? { proof: { share_links: body.share_links } }
    : { refused: 'bad-links' }
}

async function streakProof(db: Queryable, { hash, body }: Asked, stage: Stage): Promise<Proof> {
  const { startTimeStreak: start, endTimeStreak: end } = body
  if (!start || !end) return { refused: 'dates-missing' }
  if (start > end) return { refused: 'dates-reversed' }
  const range = rangeInStage(stage, start, end)
  if (!range) return { refused: 'no-streak' }
  const days = await readDepositDays(db, hash, range)
  if (!days) return { refused: 'no-session' }
  return hasStreak(days) ? { proof: range } : { refused: 'no-streak' }
}

async function proofOf(db: Queryable, asked: Asked, stage: Stage): Promise<Proof> {
  if (asked.body.event_code_detail === SHARE_MISSION) return shareProof(asked)
  if (asked.body.event_code_detail === STREAK_MISSION) return streakProof(db, asked, stage)
  return {}
}

/**
 * Claims a mission's tickets in the stage that is open at `now`. A repeated claim answers the codes of the first,
 * also after the stage has closed and whatever proof it carries.
 */
export async function claimMission(
  db: Queryable,
  takeTickets: TakeTickets,
  asked: Asked,
): Promise<ClaimOutcome> {
  const mission = asked.body.event_code_detail
  if (!isMissionCode(mission)) return refusedUnlessDead(db, asked, 1, 'no-mission')
  const stage = openStage(asked.now)
  if (!stage) return refusedUnlessDead(db, asked, shownStage(asked.now).number, 'stage-closed')

  const proof = await proofOf(db, asked, stage)
  if ('refused' in proof && proof.refused === 'no-session') return { result: 'no-session' }
  // Without a good proof the claim still goes out: the back office may have completed the mission by its word.
  const codes = await takeTickets({
    hash: asked.hash,
    stage: stage.number,
    mission,
    at: asked.now,
    ...('proof' in proof && proof.proof !== undefined && { proof: proof.proof }),
  })
  if (codes === 'full') return refusedUnlessDead(db, asked, stage.number, 'stage-full')
  if (codes) return { result: 'granted', codes }
  const refusal = 'refused' in proof && proof.refused !== 'no-session' ? proof.refused : 'not-reached'
  return refusedUnlessDead(db, asked, stage.number, refusal)
}

/** Nothing was claimed now: because the session is dead, because it was claimed before, or for the given reason. */
async function refusedUnlessDead(
  db: Queryable,
  asked: Asked,
  stage: number,
  refusal: ClaimRefusal,
): Promise<ClaimOutcome> {
  const state = await readClaimState(db, asked.hash, stage, asked.body.event_code_detail)
  if (!state) return { result: 'no-session' }
  return state.codes ? { result: 'repeated', codes: state.codes } : { result: refusal }
}
